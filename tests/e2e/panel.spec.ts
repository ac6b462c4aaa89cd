import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })
const title = (page: Page) => panel(page).getByRole('textbox', { name: 'Title' })

const WAYS_OUT: [name: string, (page: Page) => Promise<unknown>][] = [
  ['the page reloads', (page) => page.reload()],
  ['the tab opens another site', (page) => page.goto('about:blank')],
  ['the tab closes', (page) => page.close({ runBeforeUnload: true })]
]
for (const [name, leave] of WAYS_OUT) {
  test(`typed text is saved when ${name}`, async ({ page, context, service }) => {
    await service.open(page)
    const other = await context.newPage()
    await other.goto(service.url)
    await expect(row(other, 'b.example')).toBeVisible()
    await row(page, 'b.example').click()
    await title(page).fill('Typed just now')
    await leave(page)
    await expect(row(other, 'Typed just now')).toBeVisible()
  })
}

test('text typed while the service does not answer is saved later, also after a reload', async ({
  page,
  service,
  complaints
}) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await expect(title(page)).toBeVisible()
  await page.route('**/api/bookmarks/*', (route) => route.abort())
  await title(page).fill('Typed offline')
  await expect(panel(page).getByRole('status').filter({ hasText: 'Saving' })).toBeVisible()
  await page.reload()
  await page.unroute('**/api/bookmarks/*')
  await page.reload()
  await expect(row(page, 'Typed offline')).toBeVisible()
  complaints.length = 0
})
