import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/shared/bookmark-data.ts'
import { dropOnPage, type Listed, openThreeLinks } from '../support/open-pages.ts'
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

test('what is dropped on the window is saved as what it is', async () => {
  const listed = await openThreeLinks()
  const { app, field, expectRows } = listed
  await expectRows(3)
  dropOnPage({ items: { 'text/uri-list': '# two\r\nhttps://two.example/\r\nhttps://a.example/\r\nfile:///etc/x' } })
  await app.page.findByText('Saved. 1 you had already.')
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

test('what cannot be saved is said, and the page stays', async () => {
  const { app, expectRows } = await openThreeLinks()
  await expectRows(3)
  const drops: [drop: () => boolean, said: RegExp][] = [
    [() => dropPicture('<img src="data:image/png;base64,xx">'), /This picture has no address\./],
    [() => dropPicture('<img src="javascript:alert(1)">'), /This picture has no address\./],
    [
      () => dropPicture('<img src="https://a.example/1"><img src="https://a.example/2">'),
      /This picture has no address\./
    ],
    [() => dropText(' \n'), /It contains nothing/],
    [() => dropText('x'.repeat(100_001)), /100000/]
  ]
  for (const [drop, said] of drops) {
    expect(drop()).toBe(true)
    const toast = (await app.page.findByText(said)).closest<HTMLElement>('[role="alert"]') as HTMLElement
    await app.user.click(within(toast).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(toast).not.toBeInTheDocument())
  }
  app.cut('POST /api/bookmarks/captures')
  expect(dropLink('https://lost.example/')).toBe(true)
  await app.page.findByText(/Earmark does not answer\./)
  expect(app.rows()).toHaveLength(3)
})
