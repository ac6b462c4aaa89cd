import { Readable } from 'node:stream'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openThreeLinks } from '../support/open-pages.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, postImport, testService } from '../support/service.ts'

/** More than the page sends as single ids. */
const MANY = 1050

async function openMany() {
  const service = await testService()
  const urls = Array.from({ length: MANY }, (_, index) => `https://many.example/${index}\n`)
  await postImport(service, Readable.from([Buffer.from(urls.join(''))]), 'urls.txt')
  const app = await renderApp(service)
  await app.page.findByText('1,050 bookmarks')
  return app
}

test('everything in a list is selected except some, deleted in one step and restored', async () => {
  const app = await openMany()
  const { page, user } = app
  await user.keyboard('x')
  const first = await page.findByRole('toolbar', { name: '1 selected' })
  await user.click(within(first).getByRole('button', { name: 'Select all 1,050' }))
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
  expect(app.requests.filter((request) => request.startsWith('POST /api/bookmarks/changes'))).toEqual([])
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await user.click(await page.findByRole('button', { name: 'Move to trash' }))
  await page.findByText('1,049 bookmarks moved to the trash.')
  await waitFor(() => expect(app.rows()).toHaveLength(1))
  await user.click(page.getByRole('button', { name: 'Undo' }))
  await page.findByText('1,050 bookmarks')
})

test('the selected bookmarks are moved to an organization that is made for them', async () => {
  const { app, expectRows } = await openThreeLinks()
  const { page, user } = app
  await expectRows(3)
  await user.keyboard('{Control>}a{/Control}')
  await user.click(
    within(await page.findByRole('toolbar', { name: '3 selected' })).getByRole('button', { name: 'Move' })
  )
  await user.click(await page.findByRole('menuitem', { name: 'New organization …' }))
  const dialog = within(await page.findByRole('dialog', { name: 'New organization' }))
  await user.type(dialog.getByRole('textbox'), 'Team{Enter}')
  await page.findByText('3 bookmarks moved to Team.')
  await page.findByRole('link', { name: 'Team 3' })
})

test('keys typed while a selection is counted act on it in order', async () => {
  const app = await openMany()
  const counted = Promise.withResolvers<void>()
  app.answer('POST /api/bookmarks/selections', async () => {
    await counted.promise
    return undefined
  })
  await app.user.keyboard('{Control>}a{/Control}{Delete}')
  expect(app.requests.filter((request) => request.startsWith('POST /api/bookmarks/changes'))).toEqual([])
  counted.resolve()
  await app.user.click(await app.page.findByRole('button', { name: 'Move to trash' }))
  await app.page.findByText('1,050 bookmarks moved to the trash.')
})

test('a partly failed change reports what it did, shows the rest, and is undone', async () => {
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

test('tags on all, some or no selected bookmarks are added and removed together', async () => {
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

test('a long change shows its progress, and can be stopped', async () => {
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

test('C copies the addresses of the selection, and the palette exports it', async () => {
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

test('all results open in tabs, and each opened tab counts as recently opened', async () => {
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

test('the palette sorts the list, and changes its layout', async () => {
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

test('the palette deletes the selection', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  await app.user.keyboard('x')
  await app.page.findByRole('toolbar', { name: '1 selected' })
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.click(await app.page.findByRole('option', { name: /^Delete 1 selected/ }))
  await expectRows(2)
})
