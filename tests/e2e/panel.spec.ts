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

test('text typed while the service does not answer is saved by another tab after its own was closed', async ({
  page,
  context,
  service,
  complaints
}) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await expect(title(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(title(other)).toHaveValue('https://b.example/')
  await page.route('**/api/bookmarks/*', (route) => route.abort())
  await title(page).fill('Typed offline')
  await expect(panel(page).getByRole('status').filter({ hasText: 'Saving' })).toBeVisible()
  await panel(other).getByRole('textbox', { name: 'Description' }).fill('Typed in the other tab')
  await expect(panel(other).getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.close()
  await other.reload()
  await expect(title(other)).toHaveValue('Typed offline')
  await expect(row(other, 'Typed offline')).toBeVisible()
  await expect(panel(other).getByRole('textbox', { name: 'Description' })).toHaveValue('Typed in the other tab')
  complaints.length = 0
})

test('eight windows work at once, although a browser opens only six connections to a host', async ({
  page,
  context,
  service
}) => {
  await service.open(page)
  const windows = [page]
  while (windows.length < 8) {
    const other = await context.newPage()
    await other.goto(service.url)
    await expect(row(other, 'b.example')).toBeVisible()
    windows.push(other)
  }
  const last = windows.at(-1) ?? page
  await row(last, 'b.example').click()
  await title(last).fill('Typed in the eighth')
  for (const each of windows) await expect(row(each, 'Typed in the eighth')).toBeVisible()
})

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
