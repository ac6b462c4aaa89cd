import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })
const scrolled = (page: Page) => listOf(page).evaluate((list) => list.scrollTop)

test('the open bookmark is in the address, which can be copied, and shows it again', async ({
  page,
  context,
  service
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  await row(page, 'b.example').click()
  await expect(page).toHaveURL(/\?open=[\w-]+$/)
  await page.reload()
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
  await panel(page).getByRole('button', { name: 'Copy a link to this bookmark' }).click()
  await expect(page.getByText(`Copied ${service.url}/?open=`)).toBeVisible()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto(`${service.url}/settings`)
  await page.goto(address)
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
})

test('one step back closes the panel, also after others were looked at; closing it goes no further', async ({
  page,
  service
}) => {
  await service.open(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click()
  for (const text of ['a.example', 'b.example', 'c.example']) await row(page, text).click()
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://c.example/')
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${service.url}/links`)
  await page.goForward()
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://c.example/')
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${service.url}/links`)
  await page.goBack()
  await expect(page).toHaveURL(`${service.url}/`)
})

test('a search keeps the bookmark that is open, and the other way round', async ({ page, service }) => {
  await service.open(page)
  await row(page, 'b.example').click()
  await page.getByRole('searchbox').fill('c.example')
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('c.example')
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
})

test('from another page a bookmark opens over the list, and one step back leads to that page', async ({
  page,
  service
}) => {
  await service.open(page, '/settings')
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('b.exa')
  await page.getByRole('dialog').getByRole('option', { name: 'https://b.example/' }).click()
  await expect(panel(page).getByLabel('Address')).toHaveValue('https://b.example/')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
})

test.describe('a long list', () => {
  test.use({ pages: Array.from({ length: 700 }, (_, index) => `https://page-${index}.example/`) })

  test('is where one left it, 30,000 pixels down, after the panel, another page, and a reload', async ({
    page,
    service
  }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await listOf(page).evaluate((list) => list.scrollTo(0, 30_000))
    const there = listOf(page).locator('[data-index="520"]')
    await expect(there).toBeVisible()
    const text = (await there.textContent()) ?? ''
    await page.waitForFunction(() => history.state?.scroll === 30_000)
    await there.click()
    await expect(panel(page)).toBeVisible()
    await page.goBack()
    await expect(panel(page)).toHaveCount(0)
    expect(await scrolled(page)).toBe(30_000)
    await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
    await expect(page.getByRole('heading', { name: 'Tags' })).toBeVisible()
    await page.goBack()
    await expect(there).toHaveText(text)
    expect(await scrolled(page)).toBe(30_000)
    await page.reload()
    await expect(there).toHaveText(text)
    expect(await scrolled(page)).toBe(30_000)
    for (const back of [false, true]) {
      if (back) {
        await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
        await expect(page.getByRole('heading', { name: 'Tags' })).toBeVisible()
        await page.goBack()
        await expect(there).toBeVisible()
      }
      await listOf(page).focus()
      await page.keyboard.press('ArrowDown')
      expect(await scrolled(page)).toBeGreaterThan(29_000)
    }
  })

  test('begins at its top where the view is another, and is where one left it on the way back', async ({
    page,
    service
  }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await listOf(page).evaluate((list) => list.scrollTo(0, 30_000))
    await page.waitForFunction(() => history.state?.scroll === 30_000)
    await page.getByRole('searchbox').fill('page-1')
    await expect(page).toHaveURL(/q=page-1/)
    await expect.poll(() => scrolled(page)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL(`${service.url}/`)
    await expect.poll(() => scrolled(page)).toBe(30_000)
  })
})

for (const path of ['/linkz', '/profile/keys', '/a/b/c']) {
  test(`${path} is no address, and the dashboard says so`, async ({ page, service, complaints }) => {
    await service.open(page)
    const answer = await page.goto(service.url + path)
    expect(answer?.status()).toBe(404)
    await expect(page.getByText('There is nothing at this address')).toBeVisible()
    await page.getByRole('button', { name: 'Show all bookmarks' }).click()
    await expect(listOf(page).getByRole('row')).toHaveCount(3)
    expect(complaints.every((one) => one.includes('404'))).toBe(true)
    complaints.length = 0
  })
}
