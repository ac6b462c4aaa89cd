import type { Page } from '@playwright/test'
import { expect, listOf, type RunningService, test } from '../support/playwright.ts'

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** More than are named one by one. */
const MANY = 1050

async function insertMany(service: RunningService): Promise<void> {
  const urls = Array.from({ length: MANY - 3 }, (_, index) => `https://many.example/${index}`)
  for (let at = 0; at < urls.length; at += 100) await service.insert(...urls.slice(at, at + 100))
}

test('everything that is listed is selected, but what is left out, deleted as one step and brought back', async ({
  page,
  service
}) => {
  await insertMany(service)
  await service.open(page)
  await expect(page.getByText('1,050 bookmarks')).toBeVisible()
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Select all 1,050' }).click()
  await expect(page.getByRole('toolbar', { name: '1,050 selected' })).toBeVisible()
  await listOf(page).getByRole('row').nth(1).getByRole('checkbox').click()
  const bar = page.getByRole('toolbar', { name: '1,049 selected' })
  await expect(listOf(page).getByRole('row').nth(1).getByRole('checkbox')).not.toBeChecked()
  await expect(listOf(page).getByRole('row').nth(2).getByRole('checkbox')).toBeChecked()
  await bar.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Open in tabs: 50 at most' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Delete' }).click()
  const done = toast(page, '1,049 bookmarks moved to the trash')
  await expect(done).toBeVisible()
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await done.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1,050 bookmarks')).toBeVisible()
})

test('tags on all, on some and on none are given and taken in one go, and Escape closes one thing', async ({
  page,
  service
}) => {
  await service.open(page)
  const rows = listOf(page).getByRole('row')
  await expect(rows).toHaveCount(3)
  const tags = page.getByRole('dialog', { name: 'Tags of what is selected' })
  const option = (name: string) => tags.getByRole('option', { name })
  await page.keyboard.press('t')
  for (const name of ['one', 'two']) {
    await tags.getByRole('combobox').fill(name)
    await page.keyboard.press('Enter')
    await expect(option(`${name}, on all`)).toBeVisible()
  }
  await page.keyboard.press('Enter')
  await expect(tags).toHaveCount(0)
  await expect(rows.filter({ hasText: 'two' })).toHaveCount(1)

  await page.keyboard.press('Control+a')
  await page.keyboard.press('t')
  await expect(option('one, on some')).toContainText('1 of 3')
  await option('one, on some').click()
  await option('two, on some').click()
  await option('two, on all').click()
  await expect(option('one, on all')).toHaveAttribute('aria-checked', 'true')
  await expect(option('two, on none')).toHaveAttribute('aria-checked', 'false')
  await tags.getByRole('button', { name: 'Apply' }).click()
  await expect(rows.filter({ hasText: 'one' })).toHaveCount(3)
  await expect(rows.filter({ hasText: 'two' })).toHaveCount(0)

  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click()
  await expect(tags).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tags).toHaveCount(0)
  await expect(page.getByRole('toolbar', { name: '3 selected' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(rows.filter({ hasText: 'two' })).toHaveCount(1)
})

test('what is selected is opened together and saved as a file, and the palette offers what can be done with it', async ({
  page,
  context,
  service
}) => {
  await context.route('https://*.example/', (route) => route.fulfill({ body: 'a page' }))
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: '1 selected' })
  await bar.getByRole('button', { name: 'More' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Open 1 in tabs' }).click()
  await expect.poll(async () => (await opened).url()).toBe('https://c.example/')
  expect(await (await opened).evaluate(() => window.opener)).toBeNull()
  await (await opened).close()
  await bar.getByRole('button', { name: 'More' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets (.csv)' }).click()
  const stream = await (await saving).createReadStream()
  const text = (await stream.toArray()).join('')
  expect(text).toContain('https://c.example/')
  expect(text).not.toContain('https://b.example/')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Delete 1 selected' }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})

test('long work shows how far it is, and can be stopped', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  let stopped = false
  await page.route('**/api/bookmarks/changes?*', async (route) => {
    while (!stopped) await new Promise((resolve) => setTimeout(resolve, 50))
    await route.fulfill({ json: { changed: 2, unchanged: 0, kept: [], undo: null, cancelled: true } })
  })
  await page.route('**/api/work/*', (route) => route.fulfill({ json: { done: 40_000, total: 107_432 } }))
  await page.route('**/api/work/*/cancel', (route) => {
    stopped = true
    return route.fulfill({ status: 204 })
  })
  await page.keyboard.press('Delete')
  const work = page.getByRole('alert').filter({ hasText: 'Moving bookmarks to the trash' })
  await expect(work.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^37/)
  await expect(work).toContainText('40,000 of 107,432')
  await work.getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, '2 bookmarks moved to the trash. Stopped there.')).toBeVisible()
  await expect(work).toHaveCount(0)
})
