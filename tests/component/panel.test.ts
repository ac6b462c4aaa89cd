import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/shared/bookmark-data.ts'
import { type Listed, openThreeLinks } from '../support/open-pages.ts'
import { callApi } from '../support/service.ts'

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

test('what is typed is saved by itself, in one line, without a button and without a question', async () => {
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
  ['opening another bookmark', async ({ app, item }) => app.user.click(await item('c.example'))],
  [
    'closing the panel',
    async ({ app, panel }) => app.user.click((await panel()).getByRole('button', { name: 'Close' }))
  ],
  ['another page', ({ app }) => app.user.click(app.page.getByRole('link', { name: 'Settings' }))]
]
for (const [name, leave] of WAYS_OUT) {
  test(`nothing that was typed is lost by ${name}`, async () => {
    const { title, ...listed } = await openPanel()
    await listed.fill(title, 'Typed just now')
    await leave(listed)
    await waitFor(async () => expect(await titlesOf(listed)).toContain('Typed just now'))
  })
}

test('a field that cannot be saved says why, keeps its text, and keeps no other field from being saved', async () => {
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

test('what was refused is told once, not with each load, and is still in its panel', async () => {
  const listed = await openPanel()
  const { app, field, fill, panel } = listed
  await fill(await field('Address'), 'https://a.example/and more')
  await (await panel()).findByText('Not saved')
  expect(await field('Address')).toHaveAccessibleDescription('Address: an address has no spaces in it')
  await app.user.keyboard('{Escape}')
  await app.page.findByText(/What you typed is kept/)
  await app.load('/')
  await listed.expectRows(3)
  const asked = app.requests.length
  await app.user.click(await listed.item('b.example'))
  expect(await field('Address')).toHaveValue('https://a.example/and more')
  expect(app.requests.slice(asked).filter((one) => one.startsWith('PATCH'))).toEqual([])
  expect(app.page.queryByText(/What you typed is kept/)).toBeNull()
})

test('an edit of the same field elsewhere asks which is to stay', async () => {
  const { title, ...listed } = await openPanel()
  const { app, service, panel, item, fill } = listed
  const id = (await bookmarksOf(listed)).find(({ domain }) => domain === 'b.example')?.id
  for (const [mine, button, left] of [
    ['Mine', 'Keep mine', 'Mine'],
    ['Mine again', 'Use the other version', 'Theirs, Mine again']
  ] as const) {
    // Held back, so that the other one comes first.
    const letThrough = app.cut('PATCH /api/bookmarks/')
    await fill(title, mine)
    await callApi(service, 'PATCH', `/bookmarks/${id}`, { title: `Theirs, ${mine}` })
    await item(`Theirs, ${mine}`)
    const question = await (await panel()).findByRole('alert')
    expect(question).toHaveTextContent('changed elsewhere while you typed')
    expect(question).toHaveTextContent(`It is now “Theirs, ${mine}”.`)
    expect(title).toHaveValue(mine)
    letThrough()
    await app.user.click((await panel()).getByRole('button', { name: button }))
    await waitFor(async () => expect(await titlesOf(listed)).toContain(left))
    await waitFor(() => expect(title).toHaveValue(left))
  }
})

test('changes are undone one after the other, the last first, long after their notifications', async () => {
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
  const lists = () => app.requests.filter((one) => one.startsWith('GET /api/bookmarks?')).length
  const before = lists()
  const begun = performance.now()
  await app.user.keyboard('{Control>}{Shift>}ZZ{/Shift}zzyy{/Control}')
  await app.page.findByText(/Redone: “.*b\.example.*” moved to the trash\./)
  await expectRows(1)
  // At once, and then each 300 ms at most, however many changes there are.
  const most = 3 + (performance.now() - begun) / 300
  expect(lists() - before, 'fetches of the list').toBeLessThan(most)
})

test('a bookmark that the service cannot be asked for is shown as the list has it', async () => {
  const { app, item, field } = await openThreeLinks()
  const row = await item('b.example')
  app.cut('GET /api/bookmarks/')
  await app.user.click(row)
  const asked = () => app.requests.filter((one) => /^GET \/api\/bookmarks\/[\w-]{16}$/.test(one))
  await waitFor(() => expect(asked()).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await field('Title')).toHaveValue('https://b.example/')
})
