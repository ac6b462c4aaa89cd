import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const active = (page: Page) => listOf(page).locator('[data-active]')
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })

/** Puts the cursor on a bookmark by keys, and has an agent save another one above it. */
async function movedUnder(page: Page, service: { insert(url: string): Promise<void> }, text: string): Promise<void> {
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await listOf(page).focus()
  while (!(await active(page).textContent())?.includes(text)) await page.keyboard.press('ArrowDown')
  await service.insert('https://agent.example/above')
  await expect(listOf(page).getByRole('row').first()).toContainText('agent.example')
  await expect(active(page)).toContainText(text)
}

for (const key of ['Delete', 'Backspace']) {
  test(`${key} takes the bookmark it was on, also after an agent saved one above it`, async ({ page, service }) => {
    await service.open(page)
    await movedUnder(page, service, 'b.example')
    await page.keyboard.press(key)
    await expect(row(page, 'b.example')).toHaveCount(0)
    await expect(listOf(page).getByRole('row')).toHaveCount(3)
  })
}

test('a list nobody moved in yet keeps its first bookmark under the cursor, too', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  const first = (await active(page).getAttribute('id')) ?? ''
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await listOf(page).focus()
  await service.insert('https://agent.example/above')
  await expect(listOf(page).getByRole('row').first()).toContainText('agent.example')
  await expect(active(page)).toHaveAttribute('id', first)
})

test('opening, editing, choosing and copying follow the bookmark', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  await movedUnder(page, service, 'b.example')
  await page.keyboard.press('c')
  await expect(page.getByText('Copied https://b.example/')).toBeVisible()
  for (const key of ['x', ' ']) {
    await page.keyboard.press(key)
    await expect(
      listOf(page)
        .getByRole('gridcell', { selected: key === 'x' })
        .filter({ hasText: 'b.ex' })
    ).toBeVisible()
  }
  await page.keyboard.press('e')
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
  await page.keyboard.press('Escape')
  await expect(listOf(page)).toBeFocused()
  await context.route('https://b.example/', (route) => route.fulfill({ body: 'b' }))
  const opened = context.waitForEvent('page')
  await page.keyboard.press('o')
  const tab = await opened
  await expect(tab).toHaveURL('https://b.example/')
  await tab.close()
})

test('a range begins at the bookmark it began at', async ({ page, service }) => {
  await service.open(page)
  await movedUnder(page, service, 'b.example')
  await page.keyboard.press('x')
  await service.insert('https://agent.example/again')
  await expect(listOf(page).getByRole('row')).toHaveCount(5)
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByRole('toolbar', { name: '2 selected' })).toBeVisible()
  await expect(listOf(page).getByRole('gridcell', { selected: true }).first()).toContainText('b.example')
})

test('keys do nothing to the neighbour of a bookmark that went elsewhere', async ({ page, context, service }) => {
  await service.open(page)
  await movedUnder(page, service, 'b.example')
  const other = await context.newPage()
  await other.goto(service.url)
  await row(other, 'b.example').click()
  await listOf(other).press('Delete')
  await expect(row(page, 'b.example')).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(page.getByText('no longer in this list')).toBeVisible()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})

test('Delete, pressed again before the list shows it, takes the next one', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await listOf(page).focus()
  const shown = Promise.withResolvers<void>()
  await page.route('**/api/bookmarks?*', async (route) => {
    await shown.promise
    // A list that is asked again does not wait for the answer before.
    await route.continue().catch(() => {})
  })
  const done = () => page.waitForResponse((response) => response.url().includes('/api/bookmarks/changes'))
  await Promise.all([done(), page.keyboard.press('Delete')])
  await Promise.all([done(), page.keyboard.press('Delete')])
  shown.resolve()
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await expect(page.getByText('no longer in this list')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})

test('deleting one after the other goes on down the list', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await listOf(page).focus()
  for (const left of [2, 1]) {
    await page.keyboard.press('Delete')
    await expect(listOf(page).getByRole('row')).toHaveCount(left)
    await expect(active(page)).toHaveCount(1)
  }
})
