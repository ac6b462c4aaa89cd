// The panel of a bookmark: edits, its address, and related bookmarks.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { extensionToken } from '../../src-main/actions/keys/credentials.ts'
import type { ShownBookmark } from '../../src-renderer/api/client.ts'
import { item, type Listed, openThreeLinks } from '../support/open-pages.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Opens the panel of b.example. */
async function openPanel() {
  const listed = await openThreeLinks()
  await listed.app.user.click(await listed.item('b.example'))
  return { ...listed, title: await listed.field('Title') }
}

/** The bookmarks in the library, the newest first. */
async function bookmarksOf({ service }: Listed): Promise<ShownBookmark[]> {
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks?limit=9')).json()) as {
    bookmarks: ShownBookmark[]
  }
  return bookmarks
}

const titlesOf = async (listed: Listed) => (await bookmarksOf(listed)).map(({ title }) => title)

test('typed text is saved without a button or a question', async () => {
  const { app, title, panel, item, fill } = await openPanel()
  await app.user.type(title, 'More')
  await (await panel()).findByText('Saved', { selector: '[role="status"]' })
  expect((await panel()).queryByRole('button', { name: 'Save' })).toBeNull()
  await fill(title, 'Going on')
  await app.user.type(title, '{Escape}')
  await waitFor(() => expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).toBeNull())
  expect(app.page.queryByRole('dialog')).toBeNull()
  await item('Going on')
})

const WAYS_OUT: [name: string, leave: (listed: Listed) => Promise<unknown>][] = [
  ['another bookmark opens', async ({ app, item }) => app.user.click(await item('c.example'))],
  [
    'the panel closes',
    async ({ app, panel }) => app.user.click((await panel()).getByRole('button', { name: 'Close' }))
  ],
  ['another page opens', ({ app }) => app.user.click(app.page.getByRole('link', { name: 'Settings' }))]
]
for (const [name, leave] of WAYS_OUT) {
  test(`typed text is saved when ${name}`, async () => {
    const { title, ...listed } = await openPanel()
    await listed.fill(title, 'Typed just now')
    await leave(listed)
    await waitFor(async () => expect(await titlesOf(listed)).toContain('Typed just now'))
  })
}

test('a field that cannot be saved shows the reason and keeps its text, and other fields are saved', async () => {
  const { app, title, panel, field, fill, item } = await openPanel()
  const address = await field('Address')
  await fill(address, 'https://a.example/')
  await fill(title, 'Its own title')
  await (await panel()).findByText('Not saved')
  await item('Its own title')
  expect(address).toHaveValue('https://a.example/')
  expect(address).toHaveAccessibleDescription(/\w/)
  await app.user.keyboard('{Escape}')
  const toast = await app.page.findByRole('alert')
  expect(toast).toHaveTextContent('What you typed is kept')
  await app.user.click(within(toast).getByRole('button', { name: 'Open' }))
  expect(await field('Address')).toHaveValue('https://a.example/')
  await fill(await field('Address'), 'https://d.example/')
  await waitFor(async () => expect(await item('Its own title')).toHaveTextContent('d.example'))
})

test('refused text is reported once, and is still in its panel after a reload', async () => {
  const listed = await openPanel()
  const { app, field, fill, panel } = listed
  await fill(await field('Address'), 'https://a.example/and more')
  await (await panel()).findByText('Not saved')
  expect(await field('Address')).toHaveAccessibleDescription('Address: an address has no spaces in it')
  await app.user.keyboard('{Escape}')
  await app.page.findByText(/What you typed is kept/)
  await app.load('/')
  await listed.expectRows(3)
  const count = app.requests.length
  await app.user.click(await listed.item('b.example'))
  expect(await field('Address')).toHaveValue('https://a.example/and more')
  expect(app.requests.slice(count).filter((request) => request.startsWith('PATCH'))).toEqual([])
  expect(app.page.queryByText(/What you typed is kept/)).toBeNull()
})

test('a field that was edited elsewhere too asks which version to keep', async () => {
  const { title, ...listed } = await openPanel()
  const { app, service, panel, item, fill } = listed
  const id = (await bookmarksOf(listed)).find(({ domain }) => domain === 'b.example')?.id
  for (const [mine, button, left] of [
    ['Mine', 'Keep mine', 'Mine'],
    ['Mine again', 'Use the other version', 'Theirs, Mine again']
  ] as const) {
    // Delayed, so that the other edit arrives first.
    const letThrough = app.cut('PATCH /api/bookmarks/')
    await fill(title, mine)
    await callApi(service, 'PATCH', `/bookmarks/${id}`, { title: `Theirs, ${mine}` })
    await item(`Theirs, ${mine}`)
    letThrough()
    const question = await (await panel()).findByRole('alert')
    expect(question).toHaveTextContent('changed elsewhere while you typed')
    expect(question).toHaveTextContent(`It is now “Theirs, ${mine}”.`)
    expect(title).toHaveValue(mine)
    await app.user.click((await panel()).getByRole('button', { name: button }))
    await waitFor(async () => expect(await titlesOf(listed)).toContain(left))
    await waitFor(() => expect(title).toHaveValue(left))
  }
})

test('a change elsewhere of which no event arrived is not overwritten, and other fields are saved', async () => {
  const listed = await openThreeLinks()
  const { app, service, panel, field, fill, item } = listed
  app.cut('GET /api/events')
  await app.load()
  const id = (await bookmarksOf(listed)).find(({ domain }) => domain === 'b.example')?.id
  await app.user.click(await item('b.example'))
  const title = await field('Title')
  await callApi(service, 'PATCH', `/bookmarks/${id}`, { title: 'Theirs' })
  await fill(await field('Description'), 'Mine')
  await fill(title, 'Mine too')
  expect(await (await panel()).findByRole('alert')).toHaveTextContent('It is now “Theirs”.')
  const bookmark = async () => (await bookmarksOf(listed)).find((other) => other.id === id)
  await waitFor(async () => expect(await bookmark()).toMatchObject({ title: 'Theirs', description: 'Mine' }))
  await app.user.click((await panel()).getByRole('button', { name: 'Keep mine' }))
  await waitFor(async () => expect(await bookmark()).toMatchObject({ title: 'Mine too', description: 'Mine' }))
})

test('changes are undone and redone in order after their notifications closed, with few requests', async () => {
  const { app, item, list, expectRows } = await openThreeLinks()
  for (const text of ['a.example', 'b.example']) {
    await app.user.click(await item(text))
    ;(await list()).focus()
    await app.user.keyboard('{Delete}')
    await expectRows(0, text)
  }
  await app.user.click(within(await app.page.findByRole('alert')).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(app.page.queryByRole('alert')).toBeNull())
  await app.user.keyboard('{Control>}z{/Control}')
  await app.page.findByText(/Undone: “.*” moved to the trash\./)
  await item('b.example')
  await expectRows(0, 'a.example')
  await app.user.keyboard('{Control>}z{/Control}')
  await item('a.example')
  const lists = () => app.requests.filter((request) => request.startsWith('GET /api/bookmarks?')).length
  const before = lists()
  const begun = performance.now()
  await app.user.keyboard('{Control>}{Shift>}ZZ{/Shift}zzyy{/Control}')
  await app.page.findByText(/Redone: “.*b\.example.*” moved to the trash\./)
  await expectRows(1)
  // The list is fetched at once and then every 300 ms at most, independent of the number of changes.
  const most = 3 + (performance.now() - begun) / 300
  expect(lists() - before, 'fetches of the list').toBeLessThan(most)
})

test('a bookmark that cannot be fetched is shown with the data of the list', async () => {
  const { app, item, field } = await openThreeLinks()
  const row = await item('b.example')
  app.cut('GET /api/bookmarks/')
  await app.user.click(row)
  const requests = () => app.requests.filter((request) => /^GET \/api\/bookmarks\/[\w-]{16}$/.test(request))
  await waitFor(() => expect(requests()).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await field('Title')).toHaveValue('https://b.example/')
})

/** The list, and how to open a bookmark in it. */
async function openList(path?: string) {
  const listed = await openThreeLinks(path)
  const { app, item, field } = listed
  const open = async (text: string) => app.user.click(await item(text))
  const expectOpen = (address: string) => waitFor(async () => expect(await field('Address')).toHaveValue(address))
  const expectClosed = () =>
    waitFor(() => expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).toBeNull())
  return { ...listed, open, expectOpen, expectClosed }
}

test('the address contains the open bookmark, and opens it again when copied', async () => {
  const { app, panel, open, expectOpen, expectRows } = await openList()
  await open('b.example')
  await waitFor(() => expect(location.search).toMatch(/^\?open=[\w-]+$/))
  await app.load()
  await expectOpen('https://b.example/')
  await app.user.click((await panel()).getByRole('button', { name: 'More' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Copy a link to this bookmark' }))
  await app.page.findByText(/^Copied http:\/\/[\da-f]{32}\.localhost:20727\//)
  const { pathname, search } = new URL(await navigator.clipboard.readText())
  await app.load('/settings')
  await app.load(pathname + search)
  await expectOpen('https://b.example/')
  await expectRows(3)
})

test('Back closes the panel after several bookmarks were open; closing it goes no further', async () => {
  const { app, panel, open, expectOpen, expectClosed, expectRows } = await openList()
  // G, then L: links alone.
  await app.user.keyboard('gl')
  await waitFor(() => expect(location.search).toBe('?q=type:link'))
  await expectRows(3)
  for (const text of ['a.example', 'b.example', 'c.example']) {
    await open(text)
    await expectOpen(`https://${text}/`)
  }
  history.back()
  await expectClosed()
  expect(location.pathname + location.search).toBe('/?q=type:link')
  history.forward()
  await expectOpen('https://c.example/')
  await app.user.click((await panel()).getByRole('button', { name: 'Close' }))
  await expectClosed()
  expect(location.pathname + location.search).toBe('/?q=type:link')
  history.back()
  await waitFor(() => expect(location.pathname + location.search).toBe('/'))
})

test('a search keeps the open bookmark, and the open bookmark keeps the search', async () => {
  const { app, open, expectOpen, expectRows } = await openList()
  await open('b.example')
  await expectOpen('https://b.example/')
  await app.user.type(app.page.getByRole('combobox', { name: 'Search bookmarks' }), 'c.example')
  await expectRows(1)
  await expectOpen('https://b.example/')
  await app.load()
  expect(await app.page.findByRole('combobox', { name: 'Search bookmarks' })).toHaveValue('c.example')
  await expectOpen('https://b.example/')
})

test('a bookmark opened from another page shows over the list, and Back returns to that page', async () => {
  const { app, expectOpen } = await openList('/settings')
  await app.page.findByRole('heading', { name: 'Settings' })
  await app.user.keyboard('{Control>}k{/Control}')
  const dialog = within(await app.page.findByRole('dialog'))
  await waitFor(() => expect(dialog.getByRole('combobox')).toHaveFocus())
  await app.user.keyboard('b.exa')
  await app.user.click(await dialog.findByRole('option', { name: /https:\/\/b\.example\// }))
  await expectOpen('https://b.example/')
  history.back()
  await app.page.findByRole('heading', { name: 'Settings' })
})

test('an invalid address shows that there is nothing', async () => {
  const { app, expectRows } = await openList('/profile/keys')
  for (const path of ['/linkz', '/a/b/c', '/profile/keys']) {
    await app.load(path)
    await app.page.findByText('There is nothing at this address')
  }
  await app.user.click(app.page.getByRole('button', { name: 'Show all bookmarks' }))
  await expectRows(3)
})

const SHELF = [
  ['https://rye.example/', 'Sourdough of rye', ['baking']],
  ['https://wheat.example/', 'Sourdough of wheat', ['baking', 'favorite']],
  ['https://trains.example/', 'Night trains', ['travel']],
  ['https://oats.example/', 'Sourdough of oats', []]
] as const

async function openShelf() {
  const service = await testService()
  for (const [url, title, tags] of SHELF)
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url, title, tags })
  const app = await renderApp(service)
  await app.page.findByText('Sourdough of oats')
  return { app, service }
}

test('the panel shows related bookmarks and suggests their tags, which a click adds', async () => {
  const { app, service } = await openShelf()
  await app.user.click(await item(app, 'Sourdough of oats'))
  const panel = within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  const offered = within(await panel.findByRole('group', { name: 'Suggested tags' }))
  expect(offered.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['baking'])
  await app.user.click(offered.getByRole('button', { name: 'Add the tag “baking”' }))
  const saved = async () => {
    const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks?words=oats')).json()) as {
      bookmarks: { tags: string[] }[]
    }
    return bookmarks[0]?.tags
  }
  await waitFor(async () => expect(await saved()).toEqual(['baking']))
  const related = within(await panel.findByRole('region', { name: 'Related' }))
  const titles = related.getAllByRole('button').map(({ textContent }) => textContent)
  expect(titles.toSorted()).toEqual(['Sourdough of ryerye.example', 'Sourdough of wheatwheat.example'])
  await app.user.click(related.getByRole('button', { name: /rye/ }))
  await waitFor(() => expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Sourdough of rye'))
})

test('tags are suggested for a new bookmark, and none is added without a click', async () => {
  const { app } = await openShelf()
  await app.user.keyboard('n')
  const dialog = within(await app.page.findByRole('dialog'))
  await app.user.type(dialog.getByRole('textbox', { name: 'What to save' }), 'https://spelt.example/sourdough')
  const offer = await dialog.findByRole('button', { name: 'Add the tag “baking”' })
  expect(dialog.queryByText('baking', { selector: '[class*=Pill] *' })).toBeNull()
  await app.user.click(offer)
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'Add the tag “baking”' })).toBeNull())
  expect(dialog.getAllByText('baking').length).toBeGreaterThan(0)
})

test('the panel shows a copy of the page in a frame without rights, and says if its file is missing', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const url = 'https://a.example/walrus'
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url, title: 'Walruses' })
  const part = { url, upload: crypto.randomUUID(), part: 0, parts: 1, data: btoa('<h1>Walruses</h1>') }
  const sent = await service.fetch(
    new Request('http://127.0.0.1/api/extension/copy', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${extensionToken(service.commandToken)}`,
        'content-type': 'application/json'
      },
      body: JSON.stringify(part)
    })
  )
  expect(await sent.json()).toEqual({ stored: true })
  const app = await renderApp(service)
  await app.user.click(await item(app, 'Walruses'))
  const panel = within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  await panel.findByText(/^Copy of .+, \d+ B$/)
  await app.user.click(panel.getByRole('button', { name: 'Show copy' }))
  const dialog = within(await app.page.findByRole('dialog', { name: /^Copy of/ }))
  const frame = dialog.getByTitle('Walruses')
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.getAttribute('src')).toMatch(/^\/api\/bookmarks\/[\w-]+\/copy/)
  expect(dialog.getByRole('link', { name: 'Open original' })).toHaveAttribute('href', url)
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  await app.user.click(panel.getByRole('button', { name: 'Delete copy' }))
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Delete copy' })).toBeNull())
  await app.user.click(await app.page.findByRole('button', { name: 'Undo' }))
  await panel.findByRole('button', { name: 'Show copy' })
  for (const file of readdirSync(join(data, 'copies'))) rmSync(join(data, 'copies', file))
  await app.load()
  const again = within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  await again.findByText('The file of this copy is missing.')
  expect(again.queryByRole('button', { name: 'Show copy' })).toBeNull()
})
