// Drops on the window, and rows dragged within it.

import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/api/client.ts'
import { dropOnPage, expectRows, item, type Listed, openPages, openThreeLinks, save } from '../support/open-pages.ts'
import { callApi } from '../support/service.ts'

const dropText = (text: string) => dropOnPage({ items: { 'text/plain': text } })

const dropLink = (url: string, html = '') =>
  dropOnPage({ items: { 'text/uri-list': url, 'text/plain': url, ...(html && { 'text/html': html }) } })

const dropPicture = (html: string) => dropLink('https://a.example/page', html)

/** Every bookmark, newest first. */
async function saved({ service }: Listed) {
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks?limit=200')).json()) as {
    bookmarks: ShownBookmark[]
  }
  return bookmarks.map(({ type, title, url, content }) => ({ type, title, at: url ?? content }))
}

test('a drop on the window is saved as a link, picture, color or text', async () => {
  const listed = await openThreeLinks()
  const { app, field, expectRows } = listed
  await expectRows(3)
  dropOnPage({ items: { 'text/uri-list': '# two\r\nhttps://two.example/\r\nhttps://a.example/\r\nfile:///etc/x' } })
  await app.page.findByText('Saved. 1 was already saved.')
  for (const [drop, rows] of [
    [() => dropPicture('<img src="https://drop.example/p?a=1&amp;b=2" alt="x">'), 5],
    [() => dropText('oklch(70% 0.15 160)'), 6],
    [
      () =>
        dropOnPage({ items: { 'text/plain': 'First line\nsecond', 'text/html': '<p>First line</p><p>second</p>' } }),
      7
    ]
  ] as const) {
    drop()
    await expectRows(rows)
  }
  expect((await saved(listed)).slice(0, 4)).toEqual([
    { type: 'text', title: 'First line', at: 'First line\nsecond' },
    { type: 'color', title: expect.any(String), at: 'oklch(70% 0.15 160)' },
    { type: 'image', title: '', at: 'https://drop.example/p?a=1&b=2' },
    { type: 'link', title: '', at: 'https://two.example/' }
  ])

  dropText('https://three.example/\nhttps://four.example/')
  await app.page.findByText('2 bookmarks saved.')
  dropLink('https://two.example/#again')
  await app.user.click(await app.page.findByRole('button', { name: 'Open' }))
  expect(await field('Address')).toHaveValue('https://two.example/')
})

test('a drop that cannot be saved is reported, and the page stays', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  const drops: [drop: () => boolean, message: RegExp][] = [
    [() => dropPicture('<img src="data:image/png;base64,xx">'), /This picture has no address\./],
    [() => dropPicture('<img src="javascript:alert(1)">'), /This picture has no address\./],
    [
      () => dropPicture('<img src="https://a.example/1"><img src="https://a.example/2">'),
      /This picture has no address\./
    ],
    [() => dropText(' \n'), /It contains nothing/],
    [() => dropText('x'.repeat(100_001)), /100000/]
  ]
  for (const [drop, message] of drops) {
    expect(drop()).toBe(true)
    const toast = (await app.page.findByText(message)).closest<HTMLElement>('[role="alert"]') as HTMLElement
    await app.user.click(within(toast).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(toast).not.toBeInTheDocument())
  }
  app.cut('POST /api/bookmarks/captures')
  expect(dropLink('https://lost.example/')).toBe(true)
  await app.page.findByText(/Earmark does not answer\./)
  expect(app.rows()).toHaveLength(3)
})

/** The data of a drag, as the page sets it. */
function carried() {
  const data: Record<string, string> = {}
  return {
    data,
    setData: (type: string, value: string) => void Object.assign(data, { [type]: value }),
    setDragImage: () => {},
    getData: (type: string) => data[type] ?? '',
    get types() {
      return Object.keys(data)
    },
    items: [],
    files: []
  }
}

test('rows are dragged onto a tag, an organization and the trash, with the whole selection', async () => {
  const { app, service } = await openPages()
  await save(service, '/organizations', { name: 'Acme' })
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', tags: ['read'] })
  await expectRows(app, 4)
  const rail = within(app.page.getByRole('navigation'))
  const drag = async (from: string, to: RegExp) => {
    const dataTransfer = carried()
    fireEvent.dragStart(await item(app, from), { dataTransfer })
    const place = await rail.findByRole('link', { name: to })
    expect(fireEvent.dragOver(place, { dataTransfer }), 'the place takes it').toBe(false)
    fireEvent.drop(place, { dataTransfer })
    return dataTransfer.data
  }
  expect(await drag('a.example', /^read/)).toMatchObject({ 'text/uri-list': 'https://a.example/' })
  await app.page.findByText('Tagged 1 bookmark with “read”.')
  await expectRows(app, 2, 'read')
  await drag('b.example', /^Acme/)
  await app.page.findByText('1 bookmark moved to Acme.')
  await app.user.click(within(await item(app, 'b.example')).getByRole('checkbox'))
  await app.user.click(within(await item(app, 'c.example')).getByRole('checkbox'))
  await app.page.findByRole('toolbar', { name: '2 selected' })
  await drag('c.example', /^Trash/)
  await app.page.findByText('2 bookmarks moved to the trash.')
  await expectRows(app, 2)
})

test('a double click opens the page', async () => {
  const { app } = await openPages()
  await app.user.dblClick(await item(app, 'b.example'))
  expect(app.tabs).toEqual(['https://b.example/'])
  await app.page.findByRole('complementary', { name: 'Bookmark' })
})
