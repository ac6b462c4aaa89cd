import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openPages, save } from '../support/open-pages.ts'

test('nested tags are shown below their parent, collapsed, and renamed with it', async () => {
  const { app, service } = await openPages([])
  for (const [at, tags] of [['work', 'work/a/x'], ['work/a/y'], ['work'], ['zebra']].entries()) {
    await save(service, '/bookmarks', { type: 'link', url: `https://t.example/${at}`, tags })
  }
  await app.load('/tags?order=name')
  const main = () => within(app.page.getByRole('main'))
  const expectRows = (...rows: string[]) =>
    waitFor(() => {
      const items = within(main().getByRole('list', { name: 'Tags' })).getAllByRole('listitem')
      expect(items.map((item) => item.textContent)).toEqual(rows)
    })
  await expectRows('work3 bookmarks', 'a2 bookmarks', 'x1 bookmark', 'y1 bookmark', 'zebra1 bookmark')
  expect(main().getByRole('checkbox', { name: 'Select work/a' })).toBeDisabled()
  await app.user.click(main().getByRole('button', { name: 'Tags in work/a' }))
  await expectRows('work3 bookmarks', 'a2 bookmarks', 'zebra1 bookmark')

  const rail = within(await app.page.findByRole('navigation'))
  await app.user.click(rail.getByRole('button', { name: 'Tags in work' }))
  await app.user.click(await rail.findByRole('link', { name: 'a 2' }))
  await waitFor(() => expect(app.page.getAllByRole('row')).toHaveLength(2))

  await app.load('/tags?order=name')
  const rename = async (name: string) => {
    await app.user.click(await app.page.findByRole('button', { name: `More about ${name}` }))
    await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
    await app.user.clear(await app.page.findByRole('textbox', { name: 'New name' }))
  }
  // A parent that is no tag takes the name of a tag, whose name it merges with.
  await rename('work/a')
  await app.user.keyboard('zebra{Enter}')
  await expectRows('work2 bookmarks', 'zebra3 bookmarks', 'x1 bookmark', 'y1 bookmark')
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows('work3 bookmarks', 'a2 bookmarks', 'x1 bookmark', 'y1 bookmark', 'zebra1 bookmark')
  await rename('work')
  await app.user.keyboard('zebra')
  await app.page.findByRole('button', { name: 'Merge into “zebra” instead' })
  expect(app.page.queryByText('The 2 tags below it move with it.')).toBeNull()
  await app.user.keyboard('{Escape}')
  await app.user.click(await app.page.findByRole('button', { name: 'More about work' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Rename' }))
  await app.page.findByText('The 2 tags below it move with it.')
  await app.user.clear(app.page.getByRole('textbox', { name: 'New name' }))
  await app.user.keyboard('job{Enter}')
  await expectRows('job3 bookmarks', 'a2 bookmarks', 'x1 bookmark', 'y1 bookmark', 'zebra1 bookmark')
})

test('tags are sorted, selected in ranges, and deleted in one step', async () => {
  const { app, service } = await openPages([])
  await save(service, '/bookmarks', { type: 'link', url: 'https://t.example/1', tags: ['b', 'c', 'd'] })
  await save(service, '/bookmarks', { type: 'link', url: 'https://t.example/2', tags: ['d', 'a'] })
  await app.load('/tags')
  const expectNames = (...names: string[]) =>
    waitFor(() => {
      const list = within(app.page.getByRole('main')).getByRole('list', { name: 'Tags' })
      const links = within(list).getAllByRole('link')
      expect(links.map((link) => link.textContent)).toEqual(names)
    })
  const expectSelected = (text: string) => app.page.findByText(text, { selector: '[role=status]' })
  const check = (name: string) => app.user.click(app.page.getByRole('checkbox', { name }))
  await expectNames('d', 'a', 'b', 'c')
  await app.user.selectOptions(app.page.getByRole('combobox', { name: 'Order' }), 'By name')
  await expectNames('a', 'b', 'c', 'd')
  await app.load()
  await expectNames('a', 'b', 'c', 'd')
  await check('Select b')
  await app.user.keyboard('{Shift>}')
  await check('Select d')
  await app.user.keyboard('{/Shift}')
  await expectSelected('3 selected')
  await app.user.click(app.page.getByRole('button', { name: 'Delete' }))
  await expectNames('a')
  await app.user.keyboard('{Control>}z{/Control}')
  await expectNames('a', 'b', 'c', 'd')
  await check('Select all tags shown')
  await expectSelected('4 selected')
})

test('a tag is moved with its branch, by the menu, by dragging, and back by undo', async () => {
  const { app, service } = await openPages([])
  for (const [at, tags] of [['work/a/x'], ['work'], ['zebra']].entries()) {
    await save(service, '/bookmarks', { type: 'link', url: `https://t.example/${at}`, tags })
  }
  await app.load('/tags?order=name')
  const list = () => within(app.page.getByRole('main')).getByRole('list', { name: 'Tags' })
  const expectRows = (...rows: string[]) =>
    waitFor(() => {
      const items = within(list()).getAllByRole('listitem')
      expect(items.map((item) => item.textContent?.replace(/ bookmarks?/, ''))).toEqual(rows)
    })
  await expectRows('work2', 'a1', 'x1', 'zebra1')
  await app.user.click(app.page.getByRole('button', { name: 'More about work' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Move …' }))
  await app.user.type(await app.page.findByRole('combobox', { name: 'Below' }), 'zebra{Enter}')
  await expectRows('zebra3', 'work2', 'a1', 'x1')
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows('work2', 'a1', 'x1', 'zebra1')

  const row = (name: string) => within(list()).getByRole('link', { name }).closest('li') as HTMLElement
  const dataTransfer = { setData: () => {}, effectAllowed: '' }
  fireEvent.dragStart(row('zebra'), { dataTransfer })
  await waitFor(() => {
    fireEvent.dragOver(row('work'), { dataTransfer })
    expect(row('work')).toHaveAttribute('data-over')
  })
  fireEvent.drop(row('work'), { dataTransfer })
  await expectRows('work3', 'a1', 'x1', 'zebra1')
  expect(await app.page.findByText(/Renamed to “work\/zebra”/)).toBeVisible()
})

test('the arrows go through the tree, a name is found in any branch, and a branch is deleted as a whole', async () => {
  const { app, service } = await openPages([])
  for (const [at, tags] of [['work/a/x', 'work/b'], ['zebra']].entries()) {
    await save(service, '/bookmarks', { type: 'link', url: `https://t.example/${at}`, tags })
  }
  await app.load('/tags?order=name')
  const main = () => within(app.page.getByRole('main'))
  const expectFocus = (name: string) => waitFor(() => expect(main().getByRole('link', { name })).toHaveFocus())
  ;(await app.page.findByTitle('Show bookmarks tagged work')).focus()
  await app.user.click(main().getByRole('button', { name: 'Collapse all' }))
  await waitFor(() => expect(main().queryByRole('link', { name: 'b' })).toBeNull())
  main().getByRole('link', { name: 'work' }).focus()
  await app.user.keyboard('{ArrowRight}')
  await main().findByRole('link', { name: 'b' })
  await app.user.keyboard('{ArrowDown}')
  await expectFocus('a')
  await app.user.keyboard('{ArrowDown}')
  await expectFocus('b')
  await app.user.keyboard('{ArrowLeft}')
  await expectFocus('work')
  await app.user.keyboard('{ArrowLeft}')
  await waitFor(() => expect(main().queryByRole('link', { name: 'b' })).toBeNull())
  const find = main().getByRole('searchbox', { name: 'Find a tag' })
  await app.user.type(find, 'x')
  await waitFor(() => expect(main().getByRole('list', { name: 'Tags' })).toHaveTextContent(/^work.*a.*x1 bookmark$/))
  await app.user.clear(find)
  await app.user.click(main().getByRole('button', { name: 'More about work' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Delete all 2 tags' }))
  await app.page.findByText('2 tags removed from their bookmarks.')
  await waitFor(() => expect(main().queryByRole('link', { name: 'work' })).toBeNull())
  await app.user.keyboard('{Control>}z{/Control}')
  await main().findByRole('link', { name: 'work' })
})
