import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, fill, item, notice, openPages, panelOf } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'
import { callApi } from '../support/service.ts'

/** Opens the dashboard on three links and focuses the list. */
async function openList(): Promise<App> {
  const { app } = await openPages()
  await expectRows(app, 3)
  await focusList(app)
  return app
}

const focusList = async (app: App) => (await app.page.findByRole('grid')).focus()
const check = async (app: App, text: string) => app.user.click(within(await item(app, text)).getByRole('checkbox'))
const press = async (app: App, name: string) => app.user.click(await app.page.findByRole('button', { name }))
const undo = async (app: App, text: string) =>
  app.user.click((await notice(app, text)).getByRole('button', { name: 'Undo' }))
const place = (app: App, name: string) => within(app.page.getByRole('navigation')).findByRole('link', { name })

test('a bookmark is edited in the panel, and each change is undone', async () => {
  const app = await openList()
  await app.user.click(await item(app, 'b.example'))
  const panel = await panelOf(app)
  const title = await panel.findByRole('textbox', { name: 'Title' })
  await waitFor(() => expect(title).toHaveValue('https://b.example/'))
  expect(app.page.getByRole('grid')).toHaveFocus()
  await app.user.keyboard('e')
  await waitFor(() => expect(title).toHaveFocus())
  await fill(app, title, 'Renamed')
  await fill(app, panel.getByLabelText('Description'), 'Said about it')
  const tags = panel.getByRole('combobox', { name: 'Tags' })
  await app.user.click(tags)
  // Suggestions would cover the fields below.
  expect(tags).toHaveAttribute('aria-expanded', 'false')
  await app.user.keyboard('fresh')
  await app.page.findByRole('option', { name: 'Create “fresh”' })
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(tags).toHaveAttribute('aria-expanded', 'false'))
  await expectRows(app, 1, 'fresh')
  await waitFor(() => expect(app.rows('fresh')[0]).toHaveTextContent(/Renamed.*Said about it/))
  await panel.findByText('Saved', { selector: '[role=status]' })
  await focusList(app)
  await app.user.keyboard('{Control>}z{/Control}')
  await notice(app, 'Undone: Tags of “Renamed”')
  await expectRows(app, 0, 'fresh')
  expect(app.rows('Said about it')).toHaveLength(1)
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows(app, 0, 'Said about it')
  expect(app.rows('Renamed')).toHaveLength(1)
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows(app, 0, 'Renamed')
  await waitFor(() => expect(title).toHaveValue('https://b.example/'))
  await app.user.keyboard('{Control>}z{/Control}')
  await notice(app, 'There is nothing to undo')
})

test('a range of rows is selected, moved and deleted, and the deletion is undone', async () => {
  const app = await openList()
  await check(app, 'c.example')
  await app.user.keyboard('{Shift>}')
  await app.user.click(await item(app, 'a.example'))
  await app.user.keyboard('{/Shift}')
  const bar = within(await app.page.findByRole('toolbar', { name: '3 selected' }))
  await app.user.click(bar.getByRole('button', { name: 'Move' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Public' }))
  await expectRows(app, 3, 'Public')
  await app.user.click(bar.getByRole('button', { name: 'Delete' }))
  await place(app, 'Trash 3')
  await app.page.findByText('All your bookmarks are in the trash')
  await undo(app, '3 bookmarks moved to the trash')
  await expectRows(app, 3)
  await place(app, 'Trash 0')
})

test('the trash is searched, and bookmarks are restored or deleted permanently after a question', async () => {
  const app = await openList()
  await app.user.keyboard('{Control>}a{/Control}')
  await app.page.findByRole('toolbar', { name: '3 selected' })
  await app.user.keyboard('[Delete]')
  await app.user.click(await place(app, 'Trash 3'))
  await expectRows(app, 3)
  await app.user.keyboard('/')
  await waitFor(() => expect(app.page.getByRole('searchbox', { name: 'Search the trash' })).toHaveFocus())
  await app.user.keyboard('a.exam')
  await expectRows(app, 1)
  await check(app, 'a.example')
  await press(app, 'Restore')
  await app.page.findByText('Nothing matches')
  await app.user.click(app.page.getAllByRole('button', { name: 'Clear search' }).at(-1) as HTMLElement)
  await expectRows(app, 2)
  await check(app, 'b.example')
  await press(app, 'Delete permanently')
  const sure = await app.page.findByRole('dialog', { name: 'Delete permanently?' })
  await app.user.click(within(sure).getByRole('button', { name: 'Delete permanently' }))
  await expectRows(app, 1)
  await press(app, 'Empty trash')
  const question = await app.page.findByRole('dialog', { name: 'Empty the trash?' })
  await app.user.click(within(question).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(question).not.toBeInTheDocument())
  await expectRows(app, 1)
  await press(app, 'Empty trash')
  const again = await app.page.findByRole('dialog', { name: 'Empty the trash?' })
  await app.user.click(within(again).getByRole('button', { name: 'Empty trash' }))
  await app.page.findByText('The trash is empty')
  await app.user.click(await place(app, 'All 1'))
  await expectRows(app, 1, 'a.example')
})

test('a change that fails is reported, and the list stays unchanged', async () => {
  const app = await openList()
  app.cut('POST /api/bookmarks/changes')
  await app.user.keyboard('[Delete]')
  await notice(app, 'Earmark does not answer')
  expect(app.rows()).toHaveLength(3)
})

test('undo and redo skip a bookmark that changed since, and say so', async () => {
  const { app, service } = await openPages()
  await expectRows(app, 3)
  await focusList(app)
  await check(app, 'b.example')
  await check(app, 'c.example')
  await app.user.keyboard('a')
  await notice(app, '2 bookmarks archived.')
  await app.user.keyboard('{Control>}z{/Control}')
  await notice(app, 'Undone: 2 bookmarks archived.')
  const answer = await callApi(service, 'GET', '/bookmarks?order=newest')
  const { bookmarks } = (await answer.json()) as { bookmarks: { id: string }[] }
  await callApi(service, 'PATCH', `/bookmarks/${bookmarks[0]?.id}`, { title: 'Changed' })
  await app.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await notice(app, 'Redone: 2 bookmarks archived. Skipped: 1, which changed later')
})

test('one notification shows at a time, and names its bookmark', async () => {
  const app = await openList()
  const messages = () => app.page.queryAllByRole('alert').map((alert) => alert.textContent)
  await app.user.keyboard('[Delete]')
  await waitFor(() => expect(messages()).toEqual([expect.stringContaining('“https://c.example/” moved to the trash.')]))
  await expectRows(app, 2)
  // Before that, a key reports that the bookmark is gone, and deletes no other.
  await waitFor(() => expect(document.querySelector('[role=grid] [data-active]')).toHaveTextContent('b.example'))
  await app.user.keyboard('[Delete]')
  await waitFor(() => expect(messages()).toEqual([expect.stringContaining('“https://b.example/” moved to the trash.')]))
  await app.user.keyboard('{Control>}zz{/Control}')
  await expectRows(app, 3)
  await waitFor(() => expect(messages()).toEqual([expect.stringContaining('Undone: “https://c.example/”')]))
})

test('a hidden tab has no stream of events, and shows all changes when it is seen again', async () => {
  const { app, service } = await openPages()
  await expectRows(app, 3)
  const streams = () => app.requests.filter((request) => request === 'GET /api/events').length
  const save = (url: string) => callApi(service, 'POST', '/bookmarks', { type: 'link', url })
  const setHidden = (isHidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  await save('https://seen.example/')
  await expectRows(app, 4)
  expect(streams()).toBe(1)
  setHidden(true)
  await save('https://hidden.example/')
  await new Promise((resolve) => setTimeout(resolve, 600))
  await expectRows(app, 4)
  setHidden(false)
  await expectRows(app, 5)
  expect(streams()).toBe(2)
  await save('https://again.example/')
  await expectRows(app, 6)
})

/** Takes the locks of all streams, as other windows do. @returns ends that */
async function takeStreams(): Promise<() => void> {
  const closed = Promise.withResolvers<void>()
  for (const number of [1, 2, 3]) {
    const taken = Promise.withResolvers<void>()
    void navigator.locks.request(`earmark-stream-${number}`, () => {
      taken.resolve()
      return closed.promise
    })
    await taken.promise
  }
  return closed.resolve
}

test('a window that has not heard of another window’s pin keeps it', async () => {
  const close = await takeStreams()
  const { app, service } = await openPages()
  await expectRows(app, 3)
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://d.example/', tags: ['blue'] })
  const pin = await app.page.findByRole('button', { name: 'Pin blue to the top' }, { timeout: 10_000 })
  await callApi(service, 'PATCH', '/settings', { pins: ['tag:elsewhere'] })
  await app.user.click(pin)
  const pins = async () => ((await (await callApi(service, 'GET', '/settings')).json()) as { pins: string[] }).pins
  await waitFor(async () => expect(await pins()).toEqual(['tag:elsewhere', 'tag:blue']))
  close()
})

test('a window for which no stream is left asks for changes now and then, and takes a stream that another leaves', async () => {
  const close = await takeStreams()
  const { app, service } = await openPages()
  await expectRows(app, 3)
  await app.page.findByRole('img', { name: 'Connected' })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://asked.example/' })
  await expectRows(app, 4)
  expect(app.requests).not.toContain('GET /api/events')
  close()
  await waitFor(() => expect(app.requests).toContain('GET /api/events'))
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://streamed.example/' })
  await expectRows(app, 5)
})
