import { tabTo } from '../support/accessible.ts'
import { expect, test } from '../support/playwright.ts'

test('an organization is created and deleted by keyboard alone', { tag: '@smoke' }, async ({ page, service }) => {
  await service.open(page)
  await page.getByRole('link', { name: 'Organizations' }).click()
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'New organization' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Acme')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'Acme' })).toBeVisible()
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
