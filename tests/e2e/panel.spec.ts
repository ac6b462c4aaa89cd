import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })
const title = (page: Page) => panel(page).getByRole('textbox', { name: 'Title' })
const address = (page: Page) => panel(page).getByLabel('Address')

test('what is typed is saved by itself, in one line, without a button and without a question', async ({
  page,
  service
}) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await title(page).pressSequentially(' and more')
  await expect(panel(page).getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await screenshots(page, 'panel-saved')
  await expectAccessible(page)
  await title(page).fill('Going on')
  await title(page).press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(page, 'Going on')).toBeVisible()
})

const WAYS_OUT: [name: string, (page: Page) => Promise<unknown>][] = [
  ['opening another bookmark', (page) => row(page, 'c.example').click()],
  ['closing the panel', (page) => panel(page).getByRole('button', { name: 'Close' }).click()],
  ['another page', (page) => page.getByRole('link', { name: 'Settings' }).click()],
  ['reloading', (page) => page.reload()],
  ['another site', (page) => page.goto('about:blank')],
  ['closing the tab', (page) => page.close({ runBeforeUnload: true })]
]
for (const [name, leave] of WAYS_OUT) {
  test(`nothing that was typed is lost by ${name}`, async ({ page, context, service }) => {
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

test('what is typed while the service is away is saved once it is back, also by the page after a reload', async ({
  page,
  service,
  complaints
}) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await expect(title(page)).toBeVisible()
  await page.route('**/api/bookmarks/*', (route) => route.abort())
  await title(page).fill('Typed meanwhile')
  await expect(panel(page).getByRole('status').filter({ hasText: 'Saving' })).toBeVisible()
  await page.reload()
  await page.unroute('**/api/bookmarks/*')
  await page.reload()
  await expect(row(page, 'Typed meanwhile')).toBeVisible()
  complaints.length = 0
})

test('a field that cannot be saved says why, keeps its text, and keeps no other field from being saved', async ({
  page,
  service
}) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await address(page).fill('https://a.example/')
  await title(page).fill('Its own title')
  await expect(panel(page).getByText('Not saved', { exact: true })).toBeVisible()
  await expect(row(page, 'Its own title')).toBeVisible()
  await expect(address(page)).toHaveValue('https://a.example/')
  await expect(address(page)).toHaveAccessibleDescription(/\w/)
  await expectAccessible(page)
  await screenshots(page, 'panel-refused')
  await page.keyboard.press('Escape')
  const toast = page.getByRole('alert').filter({ hasText: 'What you typed is kept' })
  await toast.getByRole('button', { name: 'Open' }).click()
  await expect(address(page)).toHaveValue('https://a.example/')
  await address(page).fill('https://d.example/')
  await expect(row(page, 'Its own title')).toContainText('d.example')
})

test('an edit of the same field elsewhere asks which is to stay', async ({ page, context, service }) => {
  await service.open(page)
  const other = await context.newPage()
  await other.goto(service.url)
  await row(other, 'b.example').click()
  await row(page, 'b.example').click()
  await expect(title(page)).toBeVisible()
  for (const [mine, button, left] of [
    ['Mine', 'Keep mine', 'Mine'],
    ['Mine again', 'Take the other', 'Theirs, Mine again']
  ] as const) {
    // Held back, so that the other one comes first.
    await page.route('**/api/bookmarks/*', (route) => route.abort())
    await title(page).fill(mine)
    await title(other).fill(`Theirs, ${mine}`)
    await expect(row(other, `Theirs, ${mine}`)).toBeVisible()
    await page.unroute('**/api/bookmarks/*')
    await expect(panel(page).getByText('changed elsewhere while you typed')).toBeVisible()
    await expect(panel(page).getByText(`There it is “Theirs, ${mine}” now.`)).toBeVisible()
    await expect(title(page)).toHaveValue(mine)
    await expectAccessible(page)
    await screenshots(page, 'panel-contested')
    await panel(page).getByRole('button', { name: button }).click()
    await expect(title(other)).toHaveValue(left)
    await expect(title(page)).toHaveValue(left)
  }
})

test('changes are undone one after the other, the last first, long after their notifications', async ({
  page,
  service
}) => {
  await service.open(page)
  for (const text of ['a.example', 'b.example']) {
    await row(page, text).click()
    await listOf(page).press('Delete')
    await expect(row(page, text)).toHaveCount(0)
  }
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await listOf(page).focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('alert').filter({ hasText: /Undone: “.*” moved to the trash\./ })).toBeVisible()
  await expect(row(page, 'b.example')).toBeVisible()
  await expect(row(page, 'a.example')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(row(page, 'a.example')).toBeVisible()
})
