import { expect, listOf, test } from '../support/playwright.ts'

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
  const banner = page.getByRole('alert', { name: 'Earmark does not answer' })
  await expect(banner).toContainText('npm start')
  await expect(page.getByRole('button', { name: 'Add' })).toBeDisabled()
  await expect(page.getByRole('searchbox')).toBeDisabled()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await panel.getByLabel('Title').fill('Typed meanwhile')

  await host('open', service.data, shared.port)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add' })).toBeEnabled()
  await panel.getByLabel('Title').press('Control+Enter')
  await expect(listOf(page).getByRole('row').filter({ hasText: 'Typed meanwhile' })).toHaveCount(1)
  complaints.length = 0 // the browser notes each connection that is refused
})
