import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })

test('what an agent saves is marked with its name for some seconds, and says later who saved it', async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await service.insert('https://agent.example/1', 'https://agent.example/2')
  await expect(row(page, 'agent.example/2')).toContainText(/by \w/)
  await expect(listOf(page).locator('[data-new]')).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: /^2 bookmarks saved by \w/ })).toHaveCount(1)
  await expectAccessible(page)
  await screenshots(page, 'agent-saved')
  await expect(row(page, 'agent.example/2').getByText(/^by \w/)).toBeHidden({ timeout: 15_000 })
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true })
  await service.insert('https://agent.example/3')
  const card = listOf(page).getByRole('gridcell').filter({ hasText: 'agent.example/3' })
  await expect(card).toContainText(/by \w/)
  await expect(card).toHaveAttribute('data-new')
  await screenshots(page, 'agent-saved-card')
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('List', { exact: true }).click({ force: true })
  await row(page, 'agent.example/2').click()
  await expect(page.getByRole('complementary', { name: 'Bookmark' })).toContainText(/Saved .* with the key “\w+”/)
})
