import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openThreeLinks } from '../support/open-pages.ts'

/** The list with b.example open in the panel. */
async function openPanel(path?: string) {
  const listed = await openThreeLinks(path)
  const { app, item, field } = listed
  const open = async (text: string) => app.user.click(await item(text))
  const expectOpen = (address: string) => waitFor(async () => expect(await field('Address')).toHaveValue(address))
  const expectClosed = () =>
    waitFor(() => expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).toBeNull())
  return { ...listed, open, expectOpen, expectClosed }
}

test('the open bookmark is in the address, which can be copied, and shows it again', async () => {
  const { app, panel, open, expectOpen, expectRows } = await openPanel()
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

test('one step back closes the panel, also after others were looked at; closing it goes no further', async () => {
  const { app, panel, open, expectOpen, expectClosed, expectRows } = await openPanel()
  await app.user.click(await app.page.findByRole('link', { name: 'Links 3' }))
  await waitFor(() => expect(location.pathname).toBe('/links'))
  await expectRows(3)
  for (const text of ['a.example', 'b.example', 'c.example']) {
    await open(text)
    await expectOpen(`https://${text}/`)
  }
  history.back()
  await expectClosed()
  expect(location.pathname + location.search).toBe('/links')
  history.forward()
  await expectOpen('https://c.example/')
  await app.user.click((await panel()).getByRole('button', { name: 'Close' }))
  await expectClosed()
  expect(location.pathname + location.search).toBe('/links')
  history.back()
  await waitFor(() => expect(location.pathname + location.search).toBe('/'))
})

test('a search keeps the bookmark that is open, and the other way round', async () => {
  const { app, open, expectOpen, expectRows } = await openPanel()
  await open('b.example')
  await expectOpen('https://b.example/')
  await app.user.type(app.page.getByRole('searchbox'), 'c.example')
  await expectRows(1)
  await expectOpen('https://b.example/')
  await app.load()
  expect(await app.page.findByRole('searchbox')).toHaveValue('c.example')
  await expectOpen('https://b.example/')
})

test('from another page a bookmark opens over the list, and one step back leads to that page', async () => {
  const { app, expectOpen } = await openPanel('/settings')
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

test('what is no address is said to be none', async () => {
  const { app, expectRows } = await openPanel('/profile/keys')
  for (const path of ['/linkz', '/a/b/c', '/profile/keys']) {
    await app.load(path)
    await app.page.findByText('There is nothing at this address')
  }
  await app.user.click(app.page.getByRole('button', { name: 'Show all bookmarks' }))
  await expectRows(3)
})
