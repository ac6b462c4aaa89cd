import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a bookmark' })

async function add(page: Page, what: string, type?: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog(page).getByLabel('What to save').fill(what)
  if (type) await dialog(page).getByText(type, { exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
}

test('what cannot be saved is said without the names of fields', async ({ page, service }) => {
  await service.open(page)
  await add(page, 'no color at all', 'Color')
  await expect(dialog(page)).toContainText('Not a color that CSS knows')
  await dialog(page).getByText('Link', { exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toContainText('Address:')
  await expect(dialog(page)).not.toContainText(/\b(?:url|content):/)
})

test('why nothing matches is said in the words of the page', async ({ page, service }) => {
  await service.open(page, '/colors?q=a.example')
  await expect(page.getByText('Nothing matches with type Color')).toBeVisible()
})

test('addresses on one’s own machine and network are taken without their scheme', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  for (const [typed, saved] of [
    ['localhost:3000/x', 'http://localhost:3000/x'],
    ['192.168.1.1', 'http://192.168.1.1/']
  ] as const) {
    await add(page, typed)
    await expect(dialog(page)).toHaveCount(0)
    await expect(row(page, saved)).toBeVisible()
  }
})

test('international addresses are shown in their letters', async ({ page, service }) => {
  await service.open(page)
  await add(page, 'https://bücher.example/café')
  await expect(row(page, 'https://bücher.example/café')).toBeVisible()
  await row(page, 'bücher.example').getByRole('button', { name: 'bücher.example', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove filter bücher.example' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('xn--')
})
