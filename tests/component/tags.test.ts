import { waitFor, within } from '@testing-library/dom'
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
