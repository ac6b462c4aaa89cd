import type { Page } from '@playwright/test'
import { expect, type RunningService, test } from '../support/playwright.ts'

async function openSettings(page: Page, service: RunningService): Promise<void> {
  await service.open(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
}

function scheme(page: Page): Promise<string | null> {
  return page.locator('html').getAttribute('data-mantine-color-scheme')
}

test('the theme is taken at once, kept, and taken by other tabs', { tag: '@smoke' }, async ({
  page,
  context,
  service
}) => {
  await openSettings(page, service)
  const other = await context.newPage()
  await other.goto(service.url)
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('dark')
  await expect.poll(() => scheme(other)).toBe('dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await scheme(page)).toBe('dark')
  await page.getByText('System', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme(page)).toBe('dark')
})
