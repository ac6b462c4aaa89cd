import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })

test('a row under the pointer shows what chooses it, and copies its address', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  const box = page.getByRole('checkbox', { name: /Select .*b\.example/ })
  await expect(box).toHaveCSS('opacity', '0')
  await row(page, 'b.example').hover()
  await expect(box).toHaveCSS('opacity', '1')
  await page.getByRole('button', { name: /Copy .*b\.example/ }).click()
  await expect(page.getByText('Copied https://b.example/')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://b.example/')
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
