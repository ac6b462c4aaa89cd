import { join } from 'node:path'
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

test('an index leads to each section, and the address names it', async ({ page, service }) => {
  await openSettings(page, service)
  const index = page.getByRole('navigation', { name: 'Sections' })
  await expect(index.getByRole('link', { name: 'Appearance' })).toHaveAttribute('aria-current', 'location')
  await index.getByRole('link', { name: 'Backups' }).click()
  await expect(page).toHaveURL(/\/settings#backups$/)
  await expect(page.getByRole('heading', { name: 'Backups' })).toBeInViewport()
  await expect(index.getByRole('link', { name: 'Backups' })).toHaveAttribute('aria-current', 'location')
  for (const name of ['Help', 'Status', 'Appearance', 'Help']) {
    await index.getByRole('link', { name }).click()
    await expect(index.locator('[aria-current]')).toHaveText(name)
  }
  await page.goto(`${service.url}/settings#help`)
  await page.reload()
  const help = page.getByRole('region', { name: 'Help' })
  await expect(help).toBeInViewport()
  await expect(help).toContainText(join(service.data, 'earmark.log'))
  await expect(help).toContainText(/This is Earmark \d+\.\d+\.\d+/)
  await expect(help.getByText(service.data, { exact: true })).toBeVisible()
  await help.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})
