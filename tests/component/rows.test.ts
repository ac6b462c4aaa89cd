import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openThreeLinks } from '../support/three-links.ts'

test('a row under the pointer offers to be opened, copied, edited, deleted and chosen', async () => {
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

test('a card and a row of the trash offer as much', async () => {
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

test('the days of a list are told where they begin', async () => {
  const { app, item, list, expectRows } = await openThreeLinks()
  const days = async () => [...(await list()).querySelectorAll('[data-group]')]
  expect(await days()).toEqual([await item('c.example')])
  expect(await item('c.example')).toHaveAttribute('data-group', 'Today')
  expect(await item('c.example')).toHaveAttribute('data-index', '0')
  await app.user.type(app.page.getByRole('searchbox', { name: 'Search bookmarks' }), 'a.example')
  await expectRows(1)
  expect(await days()).toEqual([])
})

test('a row has a menu of its own, by the other button and by key', async () => {
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
