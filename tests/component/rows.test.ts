// Rows of the list: their actions, menu, states and marks.
import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, item, openPages, openThreeLinks, panelOf } from '../support/open-pages.ts'
import { callTool, makeKey } from '../support/service.ts'

test('a row under the pointer offers to open, copy, edit, delete and select it', async () => {
  const { app, item, field, expectRows } = await openThreeLinks()
  const { page, user } = app
  await user.hover(await item('b.example'))
  expect(await page.findByRole('link', { name: /Open .*b\.example/ })).toHaveAttribute('href', 'https://b.example/')
  await user.click(page.getByRole('button', { name: /Copy .*b\.example/ }))
  await page.findByText('Copied https://b.example/')
  await user.click(page.getByRole('button', { name: /Edit .*b\.example/ }))
  expect(await field('Address')).toHaveValue('https://b.example/')
  await user.hover(await item('c.example'))
  const remove = await page.findByRole('button', { name: /Delete .*c\.example/ })
  expect(page.queryByRole('button', { name: /Edit .*b\.example/ })).toBeNull()
  await user.click(remove)
  await expectRows(0, 'c.example')
  await user.click(page.getByRole('checkbox', { name: /Select .*a\.example/ }))
  await page.findByRole('toolbar', { name: '1 selected' })
})

test('a card and a row of the trash offer their actions', async () => {
  const { app, item } = await openThreeLinks()
  const { page, user } = app
  await user.click(await page.findByRole('radio', { name: 'Grid' }))
  await waitFor(async () => expect(await page.findByRole('grid')).toHaveAttribute('data-layout', 'grid'))
  await user.hover(page.getByRole('link', { name: 'https://b.example/' }))
  expect(await page.findByRole('link', { name: /Open .*b\.example/ })).toHaveAttribute('href', 'https://b.example/')
  await user.click(page.getByRole('button', { name: /Delete .*b\.example/ }))
  await user.click(await page.findByRole('link', { name: 'Trash 1' }))
  await user.hover(await item('b.example'))
  await user.click(await page.findByRole('button', { name: /Delete .*b\.example.* permanently/ }))
  const question = within(await page.findByRole('dialog', { name: 'Delete permanently?' }))
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  await user.hover(within(await item('b.example')).getByRole('time'))
  await user.click(await page.findByRole('button', { name: /Restore .*b\.example/ }))
  await page.findByText('The trash is empty')
})

test('a list has its days as headings, and a row of today shows the time', async () => {
  const { app, item, list, expectRows } = await openThreeLinks()
  const days = async () => within(await list()).queryAllByRole('rowheader')
  expect((await days()).map(({ textContent }) => textContent)).toEqual(['Today'])
  const first = await item('c.example')
  expect((await days())[0]?.nextSibling).toBe(first)
  expect(first.querySelector('time')).toHaveTextContent(/^\d+:\d+/)
  await app.user.type(app.page.getByRole('combobox', { name: 'Search bookmarks' }), 'a.example')
  await expectRows(1)
  expect(await days()).toEqual([])
})

test('a row has a menu, opened by right click or by key', async () => {
  const { app, item, list, expectRows } = await openThreeLinks()
  const { page, user } = app
  await user.pointer({ keys: '[MouseRight]', target: await item('b.example') })
  const menu = await page.findByRole('menu')
  const names = within(menu).getAllByRole('menuitem')
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'Open in a new tabO',
    'EditEnter',
    'CopyC',
    'TagsT',
    'MoveM',
    'SelectX',
    'Add to favoritesF',
    'Mark as unreadU',
    'ArchiveA',
    'DeleteDel'
  ])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(page.queryByRole('menu')).toBeNull())
  const grid = await list()
  expect(grid).toHaveFocus()
  fireEvent.contextMenu(grid)
  await user.click(await page.findByRole('menuitem', { name: /^Delete/ }))
  await expectRows(0, 'b.example')
  expect(app.rows()).toHaveLength(2)
})

test('keys turn favorite and unread on and off, and the rail filters by them', async () => {
  const { app, item, expectRows, list } = await openThreeLinks()
  await item('b.example')
  ;(await list()).focus()
  await app.user.keyboard('jf')
  await app.page.findByText('1 bookmark added to favorites.')
  await within(await item('b.example')).findByRole('img', { name: 'Favorite' })
  await app.user.keyboard('{Control>}a{/Control}')
  await app.page.findByRole('toolbar', { name: '3 selected' })
  await app.user.keyboard('u')
  await app.page.findByText('3 bookmarks marked as unread.')
  const rail = within(app.page.getByRole('navigation'))
  await rail.findByRole('link', { name: 'Unread 3' })
  await app.user.click(await rail.findByRole('link', { name: 'Favorites 1' }))
  await expectRows(1)
  await app.page.findByRole('button', { name: 'Remove filter Favorite' })
  ;(await list()).focus()
  await app.user.keyboard('f')
  await app.page.findByText('1 bookmark removed from favorites.')
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows(1, 'b.example')
})

test('a bookmark that an agent saved is marked with its name, and its panel names the key', async () => {
  const { app, service } = await openPages()
  const key = await makeKey(service, { name: 'editor' })
  const insert = (...urls: string[]) => callTool(service, key, 'bookmarks.insert', { urls })
  await within(app.page.getByRole('navigation')).findByRole('img', { name: 'Connected' })
  await insert('https://agent.example/1', 'https://agent.example/2')
  await expectRows(app, 2, 'by editor')
  expect(app.rows('agent.example/2')[0]).toHaveTextContent('by editor')
  expect(document.querySelectorAll('[role=grid] [data-new]')).toHaveLength(2)
  await app.page.findByText('2 bookmarks saved by an agent', { selector: '[role=status] *' })
  await app.user.click(app.page.getByRole('radio', { name: 'Grid' }))
  await insert('https://agent.example/3')
  const card = await waitFor(() => {
    const cards = app.page.getAllByRole('gridcell')
    const saved = cards.find(({ textContent }) => textContent?.includes('agent.example/3'))
    expect(saved).toHaveTextContent('by editor')
    return saved
  })
  expect(card).toHaveAttribute('data-new')
  await app.user.click(app.page.getByRole('radio', { name: 'List' }))
  await app.user.click(await item(app, 'agent.example/2'))
  await (await panelOf(app)).findByText(/Saved .* with the key “editor”/)
})
