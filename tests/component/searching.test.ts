import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { expectRows, fill, item, openPages, save } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'
import { postImport } from '../support/service.ts'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const fieldOf = (app: App) => app.page.findByRole('combobox', { name: 'Search bookmarks' })

test('results appear during typing, and a search without results reports it', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  await app.user.keyboard('/')
  const field = await fieldOf(app)
  expect(field).toHaveFocus()
  await app.user.keyboard('b.exam')
  await expectRows(app, 1)
  await waitFor(() => expect(app.rows()[0]?.querySelector('mark')).toBeVisible())
  expect(location.pathname + location.search).toBe('/?q=b.exam')
  await fill(app, field, 'nothing-like-this')
  await app.page.findByText('Nothing matches')
  await app.user.click(app.page.getAllByRole('button', { name: 'Clear filters' }).at(-1) as HTMLElement)
  await expectRows(app, 3)
  expect(field).toHaveValue('')
})

test('the reason why nothing matches is in the words of the page', async () => {
  const { app } = await openPages(undefined, '/colors?q=a.example')
  await app.page.findByText(/Nothing matches with type Color/)
})

test('if no bookmark has all words, a line names the missing ones, and a click searches exactly', async () => {
  const { app, service } = await openPages()
  const url = 'https://docs.example/async'
  await save(service, '/bookmarks', { type: 'link', url, title: 'Async Rust in practice', tags: ['rust'] })
  const field = await fieldOf(app)
  await fill(app, field, 'async rust talks ')
  const line = await app.page.findByRole('note')
  const marked = (name: string) => [...line.querySelectorAll(name)].map((element) => element.textContent)
  expect(line).toHaveTextContent('No bookmark has all of these words.')
  expect(marked('s')).toEqual(['talks'])
  expect(marked('b')).toEqual(['async', 'rust'])
  await expectRows(app, 1, 'Async Rust in practice')
  await app.user.click(within(line).getByRole('button', { name: 'Search exactly' }))
  await waitFor(() => expect(field).toHaveValue('"async" "rust" "talks"'))
  await app.page.findByText('Nothing matches')
  expect(app.page.queryByRole('note')).toBeNull()
})

test('a late answer does not replace the results of a newer search', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const late = Promise.withResolvers<undefined>()
  const requested = Promise.withResolvers<Request>()
  app.answer('GET /api/bookmarks?', (request) => {
    if (!request.url.includes('words=a')) return undefined
    requested.resolve(request)
    return late.promise
  })
  const field = await fieldOf(app)
  await fill(app, field, 'a.example')
  const { signal } = await requested.promise
  await fill(app, field, 'b.example')
  await waitFor(() => expect(signal.aborted).toBe(true))
  late.resolve(undefined)
  await expectRows(app, 1, 'b.example')
  await expectRows(app, 1)
})

test('tag, site and visibility filters combine, and each can be removed', async () => {
  const { app, service } = await openPages()
  await save(service, '/bookmarks', {
    type: 'link',
    url: 'https://docs.example/1',
    title: 'Both',
    tags: ['red', 'blue']
  })
  await save(service, '/bookmarks', { type: 'link', url: 'https://docs.example/2', title: 'One', tags: ['red'] })
  const press = async (name: string) => app.user.click(await app.page.findByRole('button', { name }))
  const filters = () => within(app.page.getByRole('list', { name: 'Filters' }))
  await app.user.click(await within(await item(app, 'One')).findByRole('button', { name: 'red' }))
  await expectRows(app, 2)
  await app.user.click(within(await item(app, 'Both')).getByRole('button', { name: 'blue' }))
  await expectRows(app, 1)
  await press('Remove filter #blue')
  await expectRows(app, 2)
  await press('Filter')
  const menu = within(await app.page.findByRole('dialog', { name: 'Filter bookmarks by' }))
  await app.user.type(await menu.findByLabelText('Site'), 'a.example')
  await app.page.findByText('Nothing matches')
  await press('Remove filter #red')
  await expectRows(app, 1)
  expect(app.rows('a.example')).toHaveLength(1)
  history.back()
  await waitFor(() => expect(filters().getAllByRole('listitem')).toHaveLength(2))
  await press('Clear search')
  await expectRows(app, 5)
})

test('lists are ordered, and shown as a grid', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  await app.user.click(app.page.getByRole('combobox', { name: 'Order' }))
  await app.user.click(await app.page.findByRole('option', { name: 'By title' }))
  await waitFor(() => expect(app.rows()[0]).toHaveTextContent('a.example'))
  expect(location.search).toMatch(/order=title/)
  await app.user.click(app.page.getByRole('radio', { name: 'Grid' }))
  await expectRows(app, 1)
  expect(app.page.getAllByRole('gridcell')).toHaveLength(3)
  await app.load()
  await expectRows(app, 1)
})

test('the palette offers some old bookmarks, different ones each time', async () => {
  const { app, service } = await openPages()
  const old = Array.from(
    { length: 6 },
    (_, at) => `<DT><A HREF="https://old.example/${at}" ADD_DATE="86400">Old ${at}</A>`
  )
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${old.join('\n')}`
  expect((await postImport(service, bytesOf(html), 'old')).status).toBe(200)
  const seen = new Set<string>()
  for (const count of [3, 6]) {
    await app.user.keyboard('{Control>}k{/Control}')
    const group = within(await app.page.findByRole('group', { name: 'From your library' }))
    expect(app.page.getByRole('option', { name: /^Undo/ })).toHaveTextContent('CtrlZ')
    const names = group.getAllByRole('option').map((option) => option.textContent ?? '')
    expect(names.filter((name) => /^Old \d/.test(name))).toHaveLength(3)
    for (const name of names) seen.add(name)
    expect(seen.size).toBe(count)
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(app.page.queryByRole('group', { name: 'From your library' })).toBeNull())
  }
})

test('the palette finds bookmarks and commands by keyboard', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const openPalette = async () => {
    await app.user.keyboard('{Control>}k{/Control}')
    const field = await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' })
    await waitFor(() => expect(field).toHaveFocus())
    return field
  }
  const expectChosen = async (name: string | RegExp) => {
    const option = await app.page.findByRole('option', { name })
    await waitFor(() => expect(option).toHaveAttribute('aria-selected', 'true'))
    return option
  }
  const field = await openPalette()
  await app.user.keyboard('b.exa')
  const first = await expectChosen(/^https:\/\/b\.example\//)
  expect(field).toHaveAttribute('aria-activedescendant', first.id)
  await app.user.keyboard('{ArrowUp}')
  await expectChosen('Search all for “b.exa”')
  await app.user.keyboard('{ArrowDown}')
  await expectChosen(/^https:\/\/b\.example\//)
  await app.user.keyboard('{Enter}')
  expect(await app.page.findByLabelText('Address')).toHaveValue('https://b.example/')
  await openPalette()
  await app.user.keyboard('settings')
  await expectChosen('Settings')
  await app.user.keyboard('{Enter}')
  await app.page.findByRole('heading', { name: 'Settings' })
  expect(location.pathname).toBe('/settings')
  await openPalette()
  await app.user.keyboard('dark theme')
  await expectChosen('Dark theme')
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
  expect(await app.page.findByRole('radio', { name: 'Dark' })).toBeChecked()
})

test('the palette copies a report without titles and addresses', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  await app.user.keyboard('{Control>}k{/Control}')
  const field = await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' })
  await waitFor(() => expect(field).toHaveFocus())
  await app.user.keyboard('copy report')
  await app.user.click(await app.page.findByRole('option', { name: 'Copy report' }))
  await app.page.findByText('Report copied. It has no titles and no addresses.')
  const report = await navigator.clipboard.readText()
  expect(report).toContain('Bookmarks: 3')
  expect(report).not.toContain('a.example')
})

test('the palette finds a tag', async () => {
  const { app, service } = await openPages()
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', title: 'Tagged', tags: ['heron'] })
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.type(await app.page.findByRole('combobox', { name: 'Find a bookmark or a command' }), 'hero')
  await app.user.click(await app.page.findByRole('option', { name: /heron/ }))
  await waitFor(() => expect(location.pathname + location.search).toBe('/?q=tag:heron'))
  await expectRows(app, 1)
})

test('bookmarks are filtered by several tags, without tags, and by date', async () => {
  const { app, service } = await openPages()
  for (const [title, tags] of Object.entries({ Both: ['red', 'blue'], One: ['red'] })) {
    await save(service, '/bookmarks', { type: 'link', url: `https://d.example/${title}`, title, tags })
  }
  const html = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="https://old.example/" ADD_DATE="1577880000">Old</A>'
  expect((await postImport(service, bytesOf(html), 'old')).status).toBe(200)
  await app.user.click(await app.page.findByRole('button', { name: 'Filter' }))
  const menu = within(await app.page.findByRole('dialog', { name: 'Filter bookmarks by' }))
  const tags = await menu.findByRole('combobox', { name: 'Tags' })
  await waitFor(() => expect(tags).toHaveFocus())
  await app.user.type(tags, 'red{ArrowDown}{Enter}')
  await expectRows(app, 2)
  await app.user.type(tags, 'blue{ArrowDown}{Enter}')
  await expectRows(app, 1, 'Both')
  await expectRows(app, 1)
  await app.user.click(menu.getByRole('checkbox', { name: 'Without tags' }))
  await expectRows(app, 4)
  expect(location.search).toBe('?q=is:untagged')
  await app.user.click(menu.getByRole('combobox', { name: 'Saved' }))
  await app.user.click(await menu.findByRole('option', { name: 'Last 7 days' }))
  await expectRows(app, 3)
  await app.user.click(menu.getByRole('combobox', { name: 'Saved' }))
  await app.user.click(await menu.findByRole('option', { name: 'Between' }))
  await app.user.type(await menu.findByLabelText('To'), '2020-01-01')
  await expectRows(app, 1, 'Old')
  await expectRows(app, 1)
  expect(app.page.getByRole('list', { name: 'Filters' })).toHaveTextContent(/Without tags.*Until /)
  expect(location.search).toBe('?q=is:untagged+until:2020-01-01')
})

test('an opened page is in the list of recently opened pages and in the palette', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const rail = () => within(app.page.getByRole('navigation'))
  expect(rail().queryByRole('link', { name: 'Recently opened' })).toBeNull()
  await app.user.keyboard('{ArrowDown}o')
  await waitFor(() => expect(app.tabs).toEqual(['https://b.example/']))
  await app.user.click(await rail().findByRole('link', { name: 'Recently opened' }))
  await expectRows(app, 1, 'b.example')
  await expectRows(app, 1)
  await app.page.findByText('Last opened first')
  await app.user.keyboard('{Control>}k{/Control}')
  const group = within(await app.page.findByRole('group', { name: 'Opened last' }))
  expect(group.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['https://b.example/b.example'])
})

test('a search is sent after a pause of at most 50 ms', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const sent = Promise.withResolvers<void>()
  app.answer('GET /api/bookmarks?', ({ url }) => {
    if (url.includes('words=b.example')) sent.resolve()
    return undefined
  })
  const field = await fieldOf(app)
  // Longer timers do not fire during the test.
  const { setTimeout } = globalThis
  const delay = (work: () => void, ms = 0) => setTimeout(work, ms > 50 ? 1_000_000 : ms).unref()
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(delay as typeof setTimeout)
  fireEvent.input(field, { target: { value: 'b.example' } })
  await sent.promise
})

/** The search field, with the labels of its chips. */
async function queryField(app: App) {
  const field = await app.page.findByRole('combobox', { name: 'Search bookmarks' })
  const chips = () => [...document.querySelectorAll('ul[aria-label="Filters"] li')].map((chip) => chip.textContent)
  return { field, chips, expectChips: (...labels: string[]) => waitFor(() => expect(chips()).toEqual(labels)) }
}

test('a typed filter becomes a chip, Backspace makes it text again, and both are announced', async () => {
  const { app, service } = await openPages()
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', title: 'Tagged', tags: ['heron'] })
  const { field, expectChips } = await queryField(app)
  await app.user.click(field)
  await app.user.keyboard('tag:heron tag')
  await expectChips('#heron')
  expect(field).toHaveValue('tag')
  await app.page.findByText('Filter added: #heron')
  await expectRows(app, 1, 'Tagged')
  await app.user.keyboard('{Home}{Backspace}')
  expect(field).toHaveValue('tag:heron tag')
  await expectChips()
  await app.page.findByText('Filter removed: #heron')
  await app.user.keyboard('{Enter}')
  await expectChips('#heron')
  expect(location.search).toBe('?q=tag:heron+tag')
})

test('Ctrl-A makes the whole search text, a pasted search has its chips, and Ctrl-Z undoes both', async () => {
  const { app } = await openPages(undefined, '/?q=site:a.example+is:unread')
  const { field, expectChips } = await queryField(app)
  await expectChips('a.example', 'Unread')
  await app.user.click(field)
  await app.user.keyboard('{Control>}a{/Control}')
  expect(field).toHaveValue('site:a.example is:unread')
  await app.user.paste('type:color (tag:a OR tag:b) -site:b.example c')
  await expectChips('Colors', 'Not b.example')
  expect(field).toHaveValue('(tag:a OR tag:b) c')
  await app.user.keyboard('{Control>}z{/Control}')
  await expectChips('a.example', 'Unread')
  await app.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expectChips('Colors', 'Not b.example')
  await app.user.click(app.page.getByRole('button', { name: 'Clear search' }))
  await expectChips()
  await app.user.keyboard('{Control>}z{/Control}')
  await expectChips('Colors', 'Not b.example')
})

test('the empty field lists the filters, and values are completed by keyboard', async () => {
  const { app, service } = await openPages()
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', title: 'Tagged', tags: ['to read'] })
  const { field, expectChips } = await queryField(app)
  await app.user.click(field)
  expect(await app.page.findAllByRole('option')).toHaveLength(14)
  expect(field).toHaveAttribute('aria-expanded', 'true')
  await app.user.keyboard('{ArrowDown}{Enter}')
  expect(field).toHaveValue('tag:')
  await app.user.keyboard('re')
  const option = await app.page.findByRole('option', { name: /#to read/ })
  await waitFor(() => expect(field).toHaveAttribute('aria-activedescendant', option.id))
  await app.user.keyboard('{Enter}')
  await expectChips('#to read')
  await expectRows(app, 1, 'Tagged')
  await app.user.keyboard('site:b.e')
  await app.page.findByRole('option', { name: /b\.example/ })
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('option', { name: /b\.example/ })).toBeNull())
  expect(field).toHaveValue('site:b.e')
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(field).toHaveValue(''))
})

test('Enter keeps a filter that is typed whole, and a completion beside OR stays text', async () => {
  const { app, service } = await openPages()
  for (const tag of ['go', 'golang', 'dev/web']) {
    await save(service, '/bookmarks', { type: 'link', url: `https://${tag.replace('/', '-')}.example/`, tags: [tag] })
  }
  const { field, expectChips } = await queryField(app)
  await app.user.click(field)
  await app.user.keyboard('tag:go')
  await app.page.findByRole('option', { name: /#golang/ })
  await app.user.keyboard('{Enter}')
  await expectChips('#go')
  await app.user.click(field)
  await app.user.keyboard('{Control>}a{/Control}tag:dev')
  await app.page.findByRole('option', { name: /#dev\/web/ })
  await app.user.keyboard('{Enter}')
  await expectChips('#dev')
  await app.user.click(field)
  await app.user.keyboard('{Control>}a{/Control}rust OR tag:gol')
  await app.page.findByRole('option', { name: /#golang/ })
  await app.user.keyboard('{Enter}')
  await expectChips()
  expect(field).toHaveValue('rust OR tag:golang ')
})

test('a filter that is typed last counts as typed once the field is left', async () => {
  const { app } = await openPages()
  const { field, expectChips } = await queryField(app)
  await app.user.click(field)
  await app.user.keyboard('is:unread')
  await app.user.tab()
  await expectChips('Unread')
  await waitFor(() => expect(app.requests.at(-1)).not.toContain('typing=true'))
})

test('words can be ordered by date, and the order of what is typed is shown', async () => {
  const { app } = await openPages(['https://old.example/x', 'https://new.example/x'], '/?q=x')
  await expectRows(app, 2)
  const order = () => app.page.getByRole('combobox', { name: 'Order' })
  expect(order()).toHaveValue('Best matches first')
  await app.user.click(order())
  await app.user.click(await app.page.findByRole('option', { name: 'Oldest first' }))
  await waitFor(() => expect(app.rows()[0]).toHaveTextContent('old.example'))
  expect(location.search).toBe('?q=x&order=oldest')
  const { field } = await queryField(app)
  await app.user.type(field, ' order:newest ')
  await waitFor(() => expect(app.rows()[0]).toHaveTextContent('new.example'))
  expect(order()).toHaveValue('Newest first')
})

test('types are filters above the list once there are several, and a wrong tag is corrected', async () => {
  const { app, service } = await openPages()
  expect(app.page.queryByRole('group', { name: 'Types' })).toBeNull()
  await save(service, '/bookmarks', { type: 'color', content: '#ff8800', title: 'Orange', tags: ['palette'] })
  const colors = await app.page.findByRole('button', { name: 'Colors 1' })
  await app.user.click(colors)
  expect(location.search).toBe('?q=type:color')
  expect(colors).toHaveAttribute('aria-pressed', 'true')
  await app.user.click(colors)
  await expectRows(app, 4)
  await app.load('/?q=tag:palete')
  await expectRows(app, 1, 'Orange')
  await app.page.findByText(/searched for the tag “palette”/)
})
