import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openPages, save } from '../support/open-pages.ts'

test('tags are put in order, chosen in ranges, and deleted together as one step', async () => {
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
  await app.user.click(app.page.getByRole('combobox', { name: 'Order' }))
  await app.user.click(await app.page.findByRole('option', { name: 'By name' }))
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
