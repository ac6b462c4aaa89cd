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
