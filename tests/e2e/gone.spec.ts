import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'

test('a service that ends is told at once, what cannot be done is off, and it goes on by itself', async ({
  page,
  service,
  host,
  shared,
  complaints
}) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Bookmark' })
  await expect(panel.getByLabel('Title')).toBeVisible()

  await host('close', service.data, shared.port)
  const banner = page.getByRole('alert').filter({ hasText: 'Earmark does not answer' })
  await expect(banner).toContainText('npm start')
  await expect(page.getByRole('button', { name: 'Add' })).toBeDisabled()
  await expect(page.getByRole('searchbox')).toBeDisabled()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await screenshots(page, 'gone')
  await panel.getByLabel('Title').fill('Typed meanwhile')

  await host('open', service.data, shared.port)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add' })).toBeEnabled()
  await panel.getByLabel('Title').press('Control+Enter')
  await expect(listOf(page).getByRole('row').filter({ hasText: 'Typed meanwhile' })).toHaveCount(1)
  complaints.length = 0 // the browser notes each connection that is refused
})

test('one thing is said at a time, and the one that was dealt with is named', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alert').filter({ hasText: '“https://c.example/” moved to the trash.' })).toBeVisible()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
  // Until then a key says that the bookmark has moved on, and takes no other.
  await expect(listOf(page).locator('[data-active]')).toContainText('b.example')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alert').filter({ hasText: '“https://b.example/” moved to the trash.' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('alert').filter({ hasText: 'Undone: “https://c.example/”' })).toBeVisible()
})
