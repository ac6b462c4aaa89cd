import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { expectRows, fill, notice, openPages, save } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'
import { callApi } from '../support/service.ts'

const URLS = ['https://a.example/crab', 'https://b.example/crab', 'https://c.example/']

async function tags(service: Service): Promise<string[]> {
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks?order=oldest')).json()) as {
    bookmarks: { tags: string[] }[]
  }
  return bookmarks.map(({ tags }) => tags.join())
}

const dialogOf = async (app: App) => within(await app.page.findByRole('dialog', { name: 'Rule for new bookmarks' }))

async function addTag(app: App, name: string): Promise<void> {
  await app.user.type((await dialogOf(app)).getByRole('combobox', { name: 'Add tags' }), `${name},`)
}

async function press(app: App, name: string): Promise<void> {
  await app.user.click((await dialogOf(app)).getByRole('button', { name }))
}

/** The rule with this query in the settings. */
async function ruleRow(app: App, query: string): Promise<HTMLElement> {
  return (await app.page.findByRole('link', { name: query })).closest('li') as HTMLElement
}

test('a search becomes a rule, which is applied to existing bookmarks and undone', async () => {
  const { app, service } = await openPages(URLS, '/?q=crab')
  await expectRows(app, 2)
  await app.user.click(app.page.getByRole('button', { name: 'Make a rule' }))
  const dialog = await dialogOf(app)
  const query = dialog.getByRole('textbox', { name: 'Bookmarks that match' })
  expect(query).toHaveValue('crab')
  await waitFor(() => expect(query).toHaveFocus())
  await dialog.findByText('2 bookmarks match now.')
  await press(app, 'Save rule')
  await dialog.findByText(/^Choose what the rule does/)
  await addTag(app, 'rust')
  await app.user.click(dialog.getByRole('checkbox', { name: /^Apply it to the 2 bookmarks/ }))
  await press(app, 'Save rule')
  const toast = await notice(app, 'Rule saved and applied: 2 bookmarks changed.')
  expect(await tags(service)).toEqual(['rust', 'rust', ''])
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/crab', title: 'New' })
  await app.user.click(toast.getByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect((await tags(service)).slice(0, 3)).toEqual(['', '', '']))
  expect(await (await callApi(service, 'GET', '/rules')).json()).toEqual([])
})

test('the settings create, apply, edit and delete rules', async () => {
  const { app, service } = await openPages(URLS, '/settings?part=rules')
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await app.user.click(await app.page.findByRole('button', { name: 'New rule' }))
  const dialog = await dialogOf(app)
  const query = dialog.getByRole('textbox', { name: 'Bookmarks that match' })
  await waitFor(() => expect(query).toHaveFocus())
  await fill(app, query, 'type:video')
  await dialog.findByText(/There is no type “video”/)
  await fill(app, query, 'site:a.example')
  await dialog.findByText('1 bookmark matches now.')
  await addTag(app, 'mine')
  await press(app, 'Save rule')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  expect(await ruleRow(app, 'site:a.example')).toHaveTextContent('Adds “mine”No new bookmark matched yet.')

  await app.user.click(app.page.getByRole('button', { name: /^Apply the rule/ }))
  const question = await app.page.findByRole('dialog', { name: 'Apply it to 1 bookmark?' })
  await app.user.click(within(question).getByRole('button', { name: 'Apply' }))
  const toast = await notice(app, 'Rule applied: 1 bookmark changed.')
  expect(await tags(service)).toEqual(['mine', '', ''])
  await app.user.click(toast.getByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect(await tags(service)).toEqual(['', '', '']))

  await app.user.click(app.page.getByRole('button', { name: /^More about the rule/ }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Edit' }))
  await app.user.click((await dialogOf(app)).getByRole('combobox', { name: 'Change visibility' }))
  await app.user.click(await app.page.findByRole('option', { name: 'Acme', hidden: true }))
  await press(app, 'Save rule')
  await waitFor(async () =>
    expect(await ruleRow(app, 'site:a.example')).toHaveTextContent('Adds “mine” · Moves to Acme')
  )

  await app.user.click(app.page.getByRole('button', { name: /^More about the rule/ }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Delete' }))
  await waitFor(() => expect(app.page.queryByRole('link', { name: 'site:a.example' })).toBeNull())
  await waitFor(() => expect(app.page.getByRole('button', { name: 'New rule' })).toHaveFocus())
  await app.load()
  await app.page.findByRole('button', { name: 'New rule' })
  await app.user.keyboard('{Control>}z{/Control}')
  await ruleRow(app, 'site:a.example')
})

test('a rule that only saves copies of pages has nothing to apply to existing bookmarks', async () => {
  const { app } = await openPages(URLS, '/?q=crab')
  await expectRows(app, 2)
  await app.user.click(app.page.getByRole('button', { name: 'Make a rule' }))
  const dialog = await dialogOf(app)
  await dialog.findByText('2 bookmarks match now.')
  await app.user.click(dialog.getByRole('checkbox', { name: 'Save a copy of the page' }))
  expect(dialog.queryByRole('checkbox', { name: /^Apply it/ })).toBeNull()
  await press(app, 'Save rule')
  await notice(app, 'Rule saved.')
  await app.load('/settings?part=rules')
  const row = await ruleRow(app, 'crab')
  expect(row).toHaveTextContent('Saves a copy of the page')
  expect(within(row).getByRole('button', { name: /^Apply/ })).toBeDisabled()
  await app.user.click(app.page.getByRole('button', { name: /^More about the rule/ }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Edit' }))
  expect((await dialogOf(app)).getByRole('checkbox', { name: 'Save a copy of the page' })).toBeChecked()
})

test('a rule shows how often it matched, and that its organization was deleted', async () => {
  const { app, service } = await openPages([], '/settings?part=rules')
  const { id } = (await (await callApi(service, 'POST', '/organizations', { name: 'Acme' })).json()) as { id: string }
  await save(service, '/rules', { query: 'crab', tags: ['rust'], organization: 'Acme' })
  expect(await ruleRow(app, 'crab')).toHaveTextContent('Adds “rust” · Moves to Acme')
  await save(service, '/bookmarks', { type: 'link', url: 'https://a.example/crab' })
  // What runs in the background begins once a service listens.
  await service.listen(0)
  await waitFor(async () =>
    expect(await ruleRow(app, 'crab')).toHaveTextContent('1 new bookmark matched. Last match: now')
  )
  await callApi(service, 'DELETE', `/organizations/${id}?bookmarks=profile`)
  await waitFor(async () => expect(await ruleRow(app, 'crab')).toHaveTextContent('“Acme” was deleted'))
  expect(within(await ruleRow(app, 'crab')).getByRole('button', { name: /^Apply/ })).toBeDisabled()
})

test('a change of all results of a search can become a rule', async () => {
  const { app, service } = await openPages(URLS, '/?q=crab')
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await expectRows(app, 2)
  await app.user.keyboard('x')
  await app.user.click(await app.page.findByRole('button', { name: 'Select all 2' }))
  const bar = within(await app.page.findByRole('toolbar', { name: '2 selected' }))
  await app.user.click(bar.getByRole('button', { name: 'Move' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'To Acme' }))
  const toast = await notice(app, '2 bookmarks moved to Acme.')
  await app.user.click(toast.getByRole('button', { name: 'Always do this' }))
  const dialog = await dialogOf(app)
  expect(dialog.getByRole('textbox', { name: 'Bookmarks that match' })).toHaveValue('crab')
  expect(dialog.getByRole('combobox', { name: 'Change visibility' })).toHaveValue('Acme')
  await dialog.findByText('0 bookmarks match now.')
})

test('the palette makes a rule from the current search', async () => {
  const { app } = await openPages(URLS, '/?q=crab')
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.type(await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' }), 'make a rule')
  await app.user.click(await app.page.findByRole('option', { name: 'Make a rule from this search' }))
  expect((await dialogOf(app)).getByRole('textbox', { name: 'Bookmarks that match' })).toHaveValue('crab')
})
