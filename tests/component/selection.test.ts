import { Readable } from 'node:stream'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openThreeLinks } from '../support/open-pages.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, postImport, testService } from '../support/service.ts'

/** More than are named one by one. */
const MANY = 1050

test('everything that is listed is selected, but what is left out, deleted as one step and brought back', async () => {
  const service = await testService()
  const urls = Array.from({ length: MANY }, (_, index) => `https://many.example/${index}\n`)
  await postImport(service, Readable.from([Buffer.from(urls.join(''))]), 'urls.txt')
  const app = await renderApp(service)
  const { page, user } = app
  await page.findByText('1,050 bookmarks')
  await user.keyboard('x')
  const one = await page.findByRole('toolbar', { name: '1 selected' })
  await user.click(within(one).getByRole('button', { name: 'Select all 1,050' }))
  await page.findByRole('toolbar', { name: '1,050 selected' })
  const box = (index: number) => within(app.rows()[index] as HTMLElement).getByRole('checkbox')
  await user.click(box(1))
  const bar = within(await page.findByRole('toolbar', { name: '1,049 selected' }))
  expect(box(1)).not.toBeChecked()
  expect(box(2)).toBeChecked()
  await user.click(bar.getByRole('button', { name: 'More' }))
  expect(await page.findByRole('menuitem', { name: 'Open in tabs: 50 at most' })).toBeDisabled()
  await user.keyboard('{Escape}')
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  const question = await page.findByRole('dialog', { name: 'Move 1,049 bookmarks to the trash?' })
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(app.requests.filter((one) => one.startsWith('POST /api/bookmarks/changes'))).toEqual([])
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await user.click(await page.findByRole('button', { name: 'Move to trash' }))
  await page.findByText('1,049 bookmarks moved to the trash.')
  await waitFor(() => expect(app.rows()).toHaveLength(1))
  await user.click(page.getByRole('button', { name: 'Undo' }))
  await page.findByText('1,050 bookmarks')
})

test('keys typed while a selection is being counted act on that selection, in their order', async () => {
  const service = await testService()
  const urls = Array.from({ length: MANY }, (_, index) => `https://many.example/${index}\n`)
  await postImport(service, Readable.from([Buffer.from(urls.join(''))]), 'urls.txt')
  const app = await renderApp(service)
  await app.page.findByText('1,050 bookmarks')
  const counted = Promise.withResolvers<void>()
  app.answer('POST /api/bookmarks/selections', async () => {
    await counted.promise
    return undefined
  })
  await app.user.keyboard('{Control>}a{/Control}{Delete}')
  expect(app.requests.filter((one) => one.startsWith('POST /api/bookmarks/changes'))).toEqual([])
  counted.resolve()
  await app.user.click(await app.page.findByRole('button', { name: 'Move to trash' }))
  await app.page.findByText('1,050 bookmarks moved to the trash.')
})

test('a change that breaks off says what was done, shows the rest, and what was done can be undone', async () => {
  const { app, service, expectRows } = await openThreeLinks()
  const { page, user } = app
  await expectRows(3)
  app.answer('POST /api/bookmarks/changes', async (request) => {
    const { ids, change } = (await request.json()) as { ids: string[]; change: object }
    const first = await callApi(service, 'POST', '/bookmarks/changes', { ids: ids.slice(0, 1), change })
    const problem = { code: 'disk-full', message: 'Then the disk was full.' }
    return Response.json({ ...((await first.json()) as object), problem })
  })
  await user.keyboard('{Control>}a{/Control}')
  const bar = within(await page.findByRole('toolbar', { name: '3 selected' }))
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await page.findByText(/moved to the trash\. Then the disk was full\.$/)
  await expectRows(2)
  await user.click(page.getByRole('button', { name: 'Undo' }))
  await expectRows(3)
})

test('tags on all, on some and on none are given and taken in one go, and Escape closes one thing', async () => {
  const { app, expectRows } = await openThreeLinks()
  const { page, user } = app
  await expectRows(3)
  const openTags = () => page.findByRole('dialog', { name: 'Tags of the selected bookmarks' })
  const expectClosed = () => waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
  const option = (name: string) => page.findByRole('option', { name })
  await user.keyboard('x')
  await page.findByRole('toolbar')
  await user.keyboard('t')
  await openTags()
  for (const name of ['one', 'two']) {
    await user.keyboard(name)
    expect(await option(`Create “${name}”`)).toHaveAttribute('data-combobox-selected')
    await user.keyboard('{Enter}')
    await option(`${name}, on all`)
  }
  await user.keyboard('{Enter}')
  await expectClosed()
  await expectRows(1, 'two')

  await user.keyboard('{Control>}a{/Control}t')
  expect(await option('one, on some')).toHaveTextContent('1 of 3')
  await user.click(await option('one, on some'))
  await user.click(await option('two, on some'))
  await user.click(await option('two, on all'))
  expect(await option('one, on all')).toHaveAttribute('aria-checked', 'true')
  expect(await option('two, on none')).toHaveAttribute('aria-checked', 'false')
  await user.click(page.getByRole('button', { name: 'Apply' }))
  await expectRows(3, 'one')
  await expectRows(0, 'two')

  await expectClosed()
  await user.click(within(page.getByRole('toolbar')).getByRole('button', { name: 'Tags' }))
  const field = within(await openTags()).getByRole('combobox')
  await waitFor(() => expect(field).toHaveFocus())
  await user.keyboard('{Escape}')
  await expectClosed()
  page.getByRole('toolbar', { name: '3 selected' })
  await user.keyboard('{Control>}z{/Control}')
  await expectRows(1, 'two')
})

test('long work shows how far it is, and can be stopped', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  const stopped = Promise.withResolvers<void>()
  app.answer('POST /api/bookmarks/changes?', async () => {
    await stopped.promise
    return Response.json({ changed: 2, unchanged: 0, kept: [], undo: null, cancelled: true })
  })
  app.answer('GET /api/work/', () => Response.json({ done: 40_000, total: 107_432 }))
  app.answer('POST /api/work/', () => {
    stopped.resolve()
    return new Response(null, { status: 204 })
  })
  await app.user.keyboard('{Delete}')
  const work = await app.page.findByRole('alert')
  expect(work).toHaveTextContent('Moving bookmarks to the trash')
  await waitFor(() => expect(work).toHaveTextContent('40,000 of 107,432'))
  expect(within(work).getByRole('progressbar')).toHaveAttribute('aria-valuenow', expect.stringMatching(/^37/))
  await app.user.click(within(work).getByRole('button', { name: 'Cancel' }))
  await app.page.findByText('2 bookmarks moved to the trash. Stopped.')
  await waitFor(() => expect(work).not.toBeInTheDocument())
})

test('C copies the addresses of all that is selected, and the palette leads to their export', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  await app.user.keyboard('x{ArrowDown}x')
  await app.page.findByRole('toolbar', { name: '2 selected' })
  await app.user.keyboard('c')
  await waitFor(async () => expect((await navigator.clipboard.readText()).split('\n')).toHaveLength(2))
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.click(await app.page.findByRole('option', { name: 'Export 2 selected' }))
  await app.page.findByRole('menuitem', { name: /For spreadsheets/ })
})

test('all that a search shows is opened in tabs, and what a tab opened for counts as opened lately', async () => {
  const { app, service, expectRows } = await openThreeLinks()
  await expectRows(3)
  const open = vi.spyOn(window, 'open')
  open.mockReturnValueOnce(null).mockReturnValue({ opener: null } as Window)
  await app.user.keyboard('{Control>}a{/Control}')
  const bar = within(await app.page.findByRole('toolbar', { name: '3 selected' }))
  await app.user.click(bar.getByRole('button', { name: 'More' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Open 3 in tabs' }))
  await waitFor(async () => {
    const lately = await callApi(service, 'GET', '/bookmarks?opened=true')
    expect(await lately.json()).toMatchObject({ total: 2 })
  })
  expect(open.mock.calls.map(([url]) => url)).toHaveLength(3)
})

test('the palette sorts the list, and shows it otherwise', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  const choose = async (typed: string, name: string) => {
    await app.user.keyboard('{Control>}k{/Control}')
    await app.user.type(await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' }), typed)
    await app.user.click(await app.page.findByRole('option', { name }))
  }
  await choose('sort', 'Sort: By site')
  await waitFor(() => expect(location.search).toBe('?order=site'))
  await choose('grid', 'Show as: Grid')
  await waitFor(() => expect(app.page.getAllByRole('gridcell').length).toBeGreaterThan(0))
  await waitFor(() => expect(app.page.getByRole('radio', { name: 'Grid' })).toBeChecked())
})

test('the palette offers what can be done with what is selected', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  await app.user.keyboard('x')
  await app.page.findByRole('toolbar', { name: '1 selected' })
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.click(await app.page.findByRole('option', { name: /^Delete 1 selected/ }))
  await expectRows(2)
})
