import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })

test('a row under the pointer offers to be opened, copied, edited, deleted and chosen', async ({
  page,
  context,
  service
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  await row(page, 'b.example').hover()
  await expect(page.getByRole('link', { name: /Open .*b\.example/ })).toHaveAttribute('href', 'https://b.example/')
  await expect(page.getByRole('checkbox', { name: /Select .*b\.example/ })).toHaveCSS('opacity', '1')
  await page.getByRole('button', { name: /Copy .*b\.example/ }).click()
  await expect(page.getByText('Copied https://b.example/')).toBeVisible()
  await page.getByRole('button', { name: /Edit .*b\.example/ }).click()
  await expect(page.getByRole('complementary').getByLabel('Address')).toHaveValue('https://b.example/')
  await row(page, 'c.example').hover()
  await expect(page.getByRole('button', { name: /Edit .*b\.example/ })).toHaveCount(0)
  await page.getByRole('button', { name: /Delete .*c\.example/ }).click()
  await expect(row(page, 'c.example')).toHaveCount(0)
  await page.getByRole('checkbox', { name: /Select .*a\.example/ }).click()
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible()
})

test('a card and a row of the trash offer as much', async ({ page, service }) => {
  await service.open(page)
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true })
  await page.getByRole('link', { name: 'https://b.example/' }).hover()
  await expect(page.getByRole('link', { name: /Open .*b\.example/ })).toHaveAttribute('href', 'https://b.example/')
  await page.getByRole('button', { name: /Delete .*b\.example/ }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Trash 1' }).click()
  await row(page, 'b.example').hover()
  await page.getByRole('button', { name: /Delete .*b\.example.* for ever/ }).click()
  await page.getByRole('dialog', { name: 'Delete for ever?' }).getByRole('button', { name: 'Cancel' }).click()
  await row(page, 'b.example').getByRole('time').hover()
  await page.getByRole('button', { name: /Restore .*b\.example/ }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
})

test('the days of a list are told where they begin', async ({ page, service }) => {
  await service.open(page)
  const days = listOf(page).locator('[data-group]')
  await expect(days).toHaveCount(1)
  await expect(days).toHaveAttribute('data-group', 'Today')
  await expect(days).toHaveAttribute('data-index', '0')
  await page.getByRole('searchbox', { name: 'Search bookmarks' }).fill('a.example')
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await expect(days).toHaveCount(0)
})

test('a row has a menu of its own, by the other button and by key', async ({ page, service }) => {
  await service.open(page)
  await row(page, 'b.example').click({ button: 'right' })
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem')).toHaveText([
    /^Open in a new tab/,
    /^Edit/,
    /^Copy/,
    /^Tags/,
    /^Move/,
    /^Select/,
    /^Delete/
  ])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(listOf(page)).toBeFocused()
  await listOf(page).dispatchEvent('contextmenu')
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(row(page, 'b.example')).toHaveCount(0)
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})

test('a compact list has a line for each bookmark, and stays one', async ({ page, service }) => {
  await service.open(page)
  const height = async () => (await row(page, 'b.example').boundingBox())?.height
  expect(await height()).toBe(58)
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Compact list').click({ force: true })
  await expect.poll(height).toBe(36)
  await page.reload()
  await expect.poll(height).toBe(36)
})
