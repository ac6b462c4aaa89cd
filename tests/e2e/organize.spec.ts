// Tags, organizations and duplicates.
import type { Page } from '@playwright/test'
import { tabTo } from '../support/accessible.ts'
import { expect, listOf, look, test } from '../support/playwright.ts'

const undo = (page: Page, text: string) =>
  page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click()

test('tags are renamed, merged and deleted, and each change is undone', { tag: '@smoke' }, async ({
  page,
  service
}) => {
  for (const [number, tag] of ['red', 'crimson'].entries()) {
    await service.ask('/bookmarks', { type: 'link', url: `https://t.example/${number}`, tags: [tag] })
  }
  await service.open(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Tags 2' }).click()
  const tag = (name: string) =>
    page.getByRole('main').getByRole('list', { name: 'Tags' }).getByRole('listitem').filter({ hasText: name })
  await expect(tag('red')).toContainText('1 bookmark')
  await tag('red').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('New name').fill('scarlet')
  await look(page, 'tag-rename')
  await page.getByLabel('New name').press('Enter')
  await expect(tag('scarlet')).toBeVisible()
  await undo(page, 'Renamed to')
  await expect(tag('scarlet')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select red' }).check()
  await page.getByRole('checkbox', { name: 'Select crimson' }).check()
  await look(page, 'tags-selected')
  await page.getByRole('button', { name: 'Merge into …' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Into' }).fill('red')
  await look(page, 'tag-merge')
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(tag('red')).toContainText('2 bookmarks')
  await expect(tag('crimson')).toHaveCount(0)
  await undo(page, 'Merged into')
  await expect(tag('crimson')).toBeVisible()
  await tag('crimson').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(tag('crimson')).toHaveCount(0)
  await undo(page, '“crimson” removed')
  await tag('crimson').getByRole('link').click()
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
})

test('an organization is created and deleted by keyboard alone', { tag: '@smoke' }, async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).not.toHaveCount(0)
  // No link leads there before the first one.
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'New organization' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Acme')
  await look(page, 'organization-new')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'Acme' })).toBeVisible()
  await look(page, 'organizations')
  await tabTo(page, page.getByRole('button', { name: 'Delete: Acme' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete “Acme”?' })
  await expect(dialog).toContainText('It has no bookmarks.')
  await tabTo(page, dialog.getByRole('textbox'))
  await page.keyboard.type('Acme')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your organizations' })).toBeFocused()
})

test.describe('with pages saved twice', () => {
  test.use({
    pages: [
      'https://a.example/guide',
      'http://www.a.example/guide/',
      'https://b.example/',
      'https://b.example/index.html',
      'https://c.example/'
    ]
  })

  test('duplicates are found from the palette, merged and undone', { tag: '@smoke' }, async ({ page, service }) => {
    await service.open(page)
    await expect(listOf(page)).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('find dup')
    await page.getByRole('option', { name: 'Find duplicates' }).click()
    await expect(page.getByRole('heading', { name: 'Duplicates', level: 1 })).toBeVisible()
    await expect(page.getByText('2 pages saved more than once')).toBeVisible()
    await look(page, 'duplicates')

    const guide = page.getByRole('article', { name: /a\.example\/guide/ })
    await expect(guide.getByRole('radio')).toHaveCount(2)
    await expect(guide.getByRole('radio', { name: 'https://a.example/guide' })).toBeChecked()
    await guide.getByRole('radio', { name: 'http://www.a.example/guide/' }).check()
    await guide.getByRole('button', { name: /^Merge/ }).click()
    await expect(guide).toBeHidden()
    await expect(page.getByText('Merged. 1 bookmark is in the trash.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Pages saved more than once' })).toBeFocused()
    await look(page, 'duplicates-one-merged')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(guide).toBeVisible()
    await expect(page.getByText('Merge undone. 1 bookmark is back from the trash.')).toBeVisible()

    await page.getByRole('button', { name: 'Merge all 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge all 2' }).click()
    await expect(page.getByText('No page is saved more than once.')).toBeVisible()
    await look(page, 'duplicates-merged')
    await page.getByRole('link', { name: /^All \d/ }).click()
    await expect(listOf(page).getByRole('row')).toHaveCount(3)
  })
})
