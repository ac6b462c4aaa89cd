import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, fill, item, openPages, save } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'
import { callApi } from '../support/service.ts'

const railOf = (app: App) => within(app.page.getByRole('navigation'))
const place = async (app: App, name: string) =>
  within(await app.page.findByRole('navigation')).findByRole('link', { name })
const press = async (app: App, name: string) => app.user.click(await app.page.findByRole('button', { name }))

/** Waits until the current link of the rail has this text. */
const expectAt = (app: App, name: string) =>
  waitFor(() => expect(railOf(app).getByRole('link', { current: 'page' }).textContent).toBe(name))

/** Searches for these words, and opens the dialog that saves the search. */
async function startSaving(app: App, words: string) {
  await fill(app, await app.page.findByRole('combobox', { name: 'Search bookmarks' }), words)
  await press(app, 'Save search')
  return within(await app.page.findByRole('dialog', { name: 'Save this search' }))
}

test('a search is saved, opened, renamed and deleted, and the last two are undone', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const dialog = await startSaving(app, 'a.example')
  const name = await dialog.findByRole('textbox', { name: 'Name' })
  expect(name).toHaveValue('a.example')
  await fill(app, name, 'Site A')
  await app.user.click(dialog.getByRole('button', { name: 'Save' }))
  await expectAt(app, 'Site A1')
  await waitFor(() => expect(app.page.queryByRole('button', { name: 'Save search' })).toBeNull())

  await app.user.click(await place(app, 'All 3'))
  await expectAt(app, 'All3')
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.type(await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' }), 'site a')
  await app.user.click(await app.page.findByRole('option', { name: 'Site A' }))
  await expectAt(app, 'Site A1')
  await expectRows(app, 1)

  railOf(app).getByRole('button', { name: 'More about Site A' }).focus()
  await app.user.keyboard('{Enter}')
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
  await fill(app, await app.page.findByRole('textbox', { name: 'Name' }), 'Everything of A')
  await app.user.keyboard('{Enter}')
  await expectAt(app, 'Everything of A1')

  await app.user.pointer({ keys: '[MouseRight]', target: await place(app, 'Everything of A 1') })
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Delete' }))
  await waitFor(() => expect(railOf(app).queryByRole('heading', { name: 'Saved searches' })).toBeNull())
  await waitFor(() => expect(app.page.getByRole('main')).toHaveFocus())
  await app.user.keyboard('{Control>}z{/Control}')
  await place(app, 'Everything of A 1')
  await app.user.keyboard('{Control>}z{/Control}')
  await place(app, 'Site A 1')
})

test('a saved search is updated with the filters that it is changed to, and a list of something else is not offered', async () => {
  const { app, service } = await openPages()
  await save(service, '/searches', { name: 'Site A', address: '/?q=site:a.example' })
  await app.user.click(await place(app, 'Site A 1'))
  await expectAt(app, 'Site A1')
  const field = () => app.page.findByRole('combobox', { name: 'Search bookmarks' })
  await fill(app, await field(), 'nowhere')
  await press(app, 'Update “Site A”')
  await expectAt(app, 'Site A0')
  expect(await (await callApi(service, 'GET', '/searches')).json()).toMatchObject([
    { name: 'Site A', address: '/?q=site:a.example+nowhere' }
  ])
  await app.user.keyboard('{Control>}z{/Control}')
  await place(app, 'Site A 1')

  await app.user.click(await place(app, 'All 3'))
  await fill(app, await field(), 'b.example')
  await app.page.findByRole('button', { name: 'Save search' })
  expect(app.page.queryByRole('button', { name: 'Update “Site A”' })).toBeNull()
})

test('a taken name of a saved search is reported in the dialog', async () => {
  const { app, service } = await openPages()
  await save(service, '/searches', { name: 'Mine', address: '/links?q=b' })
  await place(app, 'Mine')
  const dialog = await startSaving(app, 'a.example')
  await fill(app, await dialog.findByRole('textbox', { name: 'Name' }), 'MINE')
  await app.user.keyboard('{Enter}')
  await dialog.findByText('There is already a saved search named MINE.')
})

test('a dialog that was closed while it saves leaves the next one open, and a notice reports its failure', async () => {
  const { app, service } = await openPages()
  await save(service, '/searches', { name: 'Mine', address: '/?q=b' })
  const answered = Promise.withResolvers<void>()
  app.answer('PATCH /api/searches/', async () => {
    await answered.promise
    return Response.json({ error: { code: 'conflict', message: 'That name is taken.' } }, { status: 409 })
  })
  await app.user.pointer({ keys: '[MouseRight]', target: await place(app, 'Mine 1') })
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
  const first = within(await app.page.findByRole('dialog', { name: 'Rename “Mine”' }))
  await fill(app, await first.findByRole('textbox', { name: 'Name' }), 'Ours')
  await app.user.click(first.getByRole('button', { name: 'Rename' }))
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  const next = await startSaving(app, 'a.example')
  answered.resolve()
  await app.page.findByText('That name is taken.')
  await fill(app, next.getByRole('textbox', { name: 'Name' }), 'Another')
  await app.user.click(next.getByRole('button', { name: 'Save' }))
  await place(app, 'Another 1')
})

test('the rail shows organizations and the most used tags with counts, and hides its sections', async () => {
  const { app, service } = await openPages()
  await save(service, '/organizations', { name: 'Acme' })
  for (let at = 1; at <= 25; at++) {
    const tags = Array.from({ length: at }, (_, tag) => `tag-${tag + 1}`)
    await save(service, '/bookmarks', { type: 'link', url: `https://a.example/${at}`, tags })
  }
  for (const name of ['tag-1 25', 'tag-24 2', 'All tags 25']) await place(app, name)
  expect(railOf(app).queryByRole('link', { name: 'tag-25 1' })).toBeNull()
  await app.user.click(await place(app, 'tag-24 2'))
  await expectRows(app, 2)
  await expectAt(app, 'tag-242')
  await app.user.click(await place(app, 'Acme 0'))
  await waitFor(() => expect(app.page.getByRole('list', { name: 'Filters' })).toHaveTextContent('Acme'))
  await expectAt(app, 'Acme0')

  const toggle = () => railOf(app).getByRole('button', { name: 'Tags' })
  toggle().focus()
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(toggle()).toHaveAttribute('aria-expanded', 'false'))
  expect(railOf(app).queryByRole('link', { name: 'tag-1 25' })).toBeNull()
  await app.load()
  await place(app, 'Acme 0')
  expect(toggle()).toHaveAttribute('aria-expanded', 'false')
  expect(railOf(app).queryByRole('link', { name: 'All tags 25' })).toBeNull()
})

test('a tag is found among many in the rail, and Enter opens it', async () => {
  const { app, service } = await openPages()
  const tags = Array.from({ length: 12 }, (_, tag) => `tag-${tag + 1}`)
  await save(service, '/bookmarks', {
    type: 'link',
    url: 'https://d.example/',
    tags: [...tags, 'Baking', 'old/kitchen']
  })
  const field = await railOf(app).findByRole('searchbox', { name: 'Find a tag' })
  await app.user.type(field, 'nothing')
  await railOf(app).findByText('No tag matches.')
  await app.user.keyboard('{Escape}')
  expect(field).toHaveValue('')
  await app.user.type(field, 'old')
  await place(app, 'old 1') // a parent of tags is no tag itself
  await app.user.clear(field)
  await app.user.type(field, 'baK')
  await place(app, 'Baking 1')
  expect(railOf(app).queryByRole('link', { name: /^tag-/ })).toBeNull()
  await app.user.keyboard('{Enter}')
  await expectRows(app, 1, 'd.example')
  await expectAt(app, 'Baking1')
})

test('the rail is resized and hidden, the panel is resized, and a reload keeps both', async () => {
  const { app } = await openPages()
  const edge = (name: string) => app.page.findByRole('separator', { name })
  const widen = async (name: string, keys: string) => {
    const separator = await edge(name)
    separator.focus()
    await app.user.keyboard(keys)
    return separator
  }
  expect(await widen('Width of the sidebar', '{ArrowRight}{ArrowRight}{ArrowLeft}')).toHaveAttribute(
    'aria-valuenow',
    '248'
  )
  await app.user.click(await item(app, 'a.example'))
  expect(await widen('Width of the panel', '{ArrowLeft}')).toHaveAttribute('aria-valuenow', '416')
  await app.load()
  expect(await edge('Width of the sidebar')).toHaveAttribute('aria-valuenow', '248')
  expect(await widen('Width of the sidebar', '{End}')).toHaveAttribute('aria-valuenow', '420')
  await app.user.dblClick(await edge('Width of the sidebar'))
  expect(await edge('Width of the sidebar')).toHaveAttribute('aria-valuenow', '232')
  expect(await widen('Width of the panel', '{Home}')).toHaveAttribute('aria-valuenow', '320')

  await app.user.click(railOf(app).getByRole('button', { name: 'Hide the sidebar' }))
  const isHidden = () => localStorage.getItem('earmark-rail-hidden')
  await waitFor(() => expect(isHidden()).toBe('true'))
  await app.user.click(app.page.getByRole('button', { name: 'Menu' }))
  await waitFor(() => expect(isHidden()).toBe('false'))
  await app.user.keyboard('{Control>}b{/Control}')
  await waitFor(() => expect(isHidden()).toBe('true'))
})

test('tags, organizations and saved searches are pinned to the top, also when renamed', async () => {
  const { app, service } = await openPages()
  await save(service, '/organizations', { name: 'Acme' })
  await save(service, '/searches', { name: 'Site A', address: '/?q=a.example' })
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', tags: ['blue', 'red'] })
  const pinned = () => within(railOf(app).getByRole('list', { name: 'Pinned' }))
  const names = () =>
    pinned()
      .getAllByRole('link')
      .map((link) => link.textContent)
  await press(app, 'Pin blue to the top')
  await waitFor(() => expect(pinned().getByRole('link', { name: 'blue 1' })).toHaveFocus())
  expect(railOf(app).getAllByRole('link', { name: 'blue 1' })).toHaveLength(1)
  await press(app, 'Pin Acme to the top')
  await waitFor(() => expect(names()).toEqual(['blue1', 'Acme0']))
  await press(app, 'More about Site A')
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Pin to the top' }))
  await waitFor(() => expect(names()).toEqual(['blue1', 'Acme0', 'Site A1']))

  await app.user.click(pinned().getByRole('link', { name: 'blue 1' }))
  await expectAt(app, 'blue1')
  await app.user.click(await place(app, 'All tags 2'))
  await press(app, 'More about blue')
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
  await fill(app, await app.page.findByRole('textbox', { name: /name/i }), 'azure')
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(names()).toEqual(['azure1', 'Acme0', 'Site A1']))
  await app.user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(names()).toEqual(['blue1', 'Acme0', 'Site A1']))

  await press(app, 'Unpin Acme')
  await waitFor(() => expect(names()).toEqual(['blue1', 'Site A1']))
  await place(app, 'Acme 0')
})

test('a parent without bookmarks of its own is pinned with the count of its branch, which its menu renames', async () => {
  const { app, service } = await openPages()
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/1', tags: ['work/a'] })
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/2', tags: ['work/b'] })
  await press(app, 'Pin work to the top')
  const pinned = await railOf(app).findByRole('list', { name: 'Pinned' })
  await within(pinned).findByRole('link', { name: 'work 2' })
  const tag = within(railOf(app).getByRole('list', { name: 'Tags' })).getByRole('link', { name: 'work 2' })
  await app.user.pointer({ keys: '[MouseRight]', target: tag })
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
  await fill(app, await app.page.findByRole('textbox', { name: 'New name' }), 'job')
  await app.user.keyboard('{Enter}')
  await within(pinned).findByRole('link', { name: 'job 2' })
})

test('organizations are in the rail once there is one, and settings and API keys always', async () => {
  const { app, service } = await openPages()
  for (const name of ['API Keys 0', 'Settings', 'All 3', 'Trash 0']) await place(app, name)
  expect(railOf(app).queryByRole('link', { name: 'All organizations' })).toBeNull()
  await save(service, '/organizations', { name: 'Acme' })
  await place(app, 'All organizations')
  await place(app, 'Acme 0')
})
