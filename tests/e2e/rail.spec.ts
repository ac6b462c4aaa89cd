import type { Page } from '@playwright/test'
import { expectAccessible, tabTo } from '../support/accessible.ts'
import { expect, listOf, type RunningService, screenshots, tabHeaders, test } from '../support/playwright.ts'

const rail = (page: Page) => page.getByRole('navigation')
const place = (page: Page, name: string) => rail(page).getByRole('link', { name, exact: true })
const current = (page: Page) => rail(page).locator('[aria-current="page"]')

/** Saves a link as the dashboard does. */
async function save(page: Page, service: RunningService, path: string, data: object): Promise<void> {
  const headers = await tabHeaders(page, service)
  const saved = await page.request.post(`${service.url}/api/${path}`, { headers, data })
  expect(saved.status()).toBe(201)
}

test('a search is saved, opened, renamed and deleted, and both can be undone', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.getByRole('searchbox', { name: 'Search bookmarks' }).fill('a.example')
  await page.getByRole('button', { name: 'Save search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this search' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('a.example')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Site A')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(current(page)).toHaveText('Site A')
  await expect(page.getByRole('button', { name: 'Save search' })).toHaveCount(0)

  await place(page, 'All 3').click()
  await expect(current(page)).toHaveText('All3')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('site a')
  await page.getByRole('option', { name: 'Site A', exact: true }).click()
  await expect(current(page)).toHaveText('Site A')
  await expect(listOf(page).getByRole('row')).toHaveCount(1)

  const more = rail(page).getByRole('button', { name: 'More about Site A' })
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Everything of A')
  await page.keyboard.press('Enter')
  await expect(current(page)).toHaveText('Everything of A')
  await screenshots(page, 'rail-saved-search')

  await place(page, 'Everything of A').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(rail(page).getByRole('heading', { name: 'Saved searches' })).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(place(page, 'Everything of A')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(place(page, 'Site A')).toBeVisible()
})

test('a name that is taken is told where it was typed', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await save(page, service, 'searches', { name: 'Mine', address: '/links?q=b' })
  await expect(place(page, 'Mine')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search bookmarks' }).fill('a.example')
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('MINE')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('There is already a saved search named MINE.')
  await expectAccessible(page)
})

test('organizations and the most used tags are in the rail with their counts, and can be hidden', async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await save(page, service, 'organizations', { name: 'Acme' })
  for (let at = 1; at <= 9; at++) {
    const tags = Array.from({ length: at }, (_, tag) => `tag-${tag + 1}`)
    await save(page, service, 'bookmarks', { type: 'link', url: `https://a.example/${at}`, tags })
  }
  await expect(place(page, 'tag-1 9')).toBeVisible()
  await expect(place(page, 'tag-8 2')).toBeVisible()
  await expect(place(page, 'tag-9 1')).toHaveCount(0)
  await expect(place(page, 'All tags 9')).toBeVisible()
  await place(page, 'tag-8 2').click()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
  await expect(current(page)).toHaveText('tag-82')
  await place(page, 'Acme 0').click()
  await expect(page.getByRole('list', { name: 'Filters' })).toContainText('Acme')
  await expect(current(page)).toHaveText('Acme0')
  await expectAccessible(page)
  await screenshots(page, 'rail')

  const toggle = rail(page).getByRole('button', { name: 'Tags' })
  await tabTo(page, toggle)
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(place(page, 'tag-1 9')).toBeHidden()
  await page.reload()
  await expect(place(page, 'Acme 0')).toBeVisible()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(place(page, 'All tags 9')).toBeHidden()
})
