import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })
const scrolled = (page: Page) => listOf(page).evaluate((list) => list.scrollTop)

test.describe('a long list', () => {
  test.use({ pages: Array.from({ length: 700 }, (_, index) => `https://page-${index}.example/`) })

  test('is where one left it, 20,000 pixels down, after the panel, another page, and a reload', async ({
    page,
    service
  }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await listOf(page).evaluate((list) => list.scrollTo(0, 20_000))
    const there = listOf(page).locator('[data-index="460"]')
    await expect(there).toBeVisible()
    const text = (await there.textContent()) ?? ''
    await page.waitForFunction(() => history.state?.scroll === 20_000)
    await there.click()
    await expect(panel(page)).toBeVisible()
    await page.goBack()
    await expect(panel(page)).toHaveCount(0)
    expect(await scrolled(page)).toBe(20_000)
    await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
    await expect(page.getByRole('heading', { name: 'Tags', level: 1 })).toBeVisible()
    await page.goBack()
    await expect(there).toHaveText(text)
    expect(await scrolled(page)).toBe(20_000)
    await page.reload()
    await expect(there).toHaveText(text)
    expect(await scrolled(page)).toBe(20_000)
    for (const back of [false, true]) {
      if (back) {
        await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
        await expect(page.getByRole('heading', { name: 'Tags', level: 1 })).toBeVisible()
        await page.goBack()
        await expect(there).toBeVisible()
      }
      await listOf(page).focus()
      await page.keyboard.press('ArrowDown')
      expect(await scrolled(page)).toBeGreaterThan(19_000)
    }
  })

  test('begins at its top where the view is another, and is where one left it on the way back', async ({
    page,
    service
  }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await listOf(page).evaluate((list) => list.scrollTo(0, 20_000))
    await page.waitForFunction(() => history.state?.scroll === 20_000)
    await page.getByRole('searchbox').fill('page-1')
    await expect(page).toHaveURL(/q=page-1/)
    await expect.poll(() => scrolled(page)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL(`${service.url}/`)
    await expect.poll(() => scrolled(page)).toBe(20_000)
  })
})
