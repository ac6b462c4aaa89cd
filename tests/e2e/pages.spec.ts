import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, listOf, test } from '../support/playwright.ts'
import { page as answer, withServedWeb } from '../support/test-web.ts'

const LINE =
  'The patient gardener counts every apple, pear and quince in the walled orchard behind the old stone house.'

/** Scrolls, finds and sets letters without a mouse, opens the reader by its address, and leaves it by Back and Escape. */
async function readsByKeys(page: Page, reader: Locator): Promise<void> {
  const article = reader.getByRole('article')
  const scrolled = () => article.evaluate((element) => element.scrollTop)
  await expect(article).toBeFocused()
  expect((await article.boundingBox())?.width).toBe(page.viewportSize()?.width)
  await page.keyboard.press('Space')
  await expect.poll(scrolled).toBeGreaterThan(200)
  const before = await scrolled()
  await page.keyboard.press('k')
  await expect.poll(scrolled).toBeLessThan(before)

  await page.keyboard.press('Control+f')
  await page.keyboard.type('QUINCE')
  const count = reader.getByRole('status')
  await expect(count).toHaveText(/^\d+ of 36$/)
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  await expect(count).toHaveText('Not found')
  await page.keyboard.press('Escape')
  await expect(count).toBeHidden()
  await expect(article).toBeFocused()

  await reader.getByRole('button', { name: 'Text appearance' }).click()
  await reader.getByText('Sans', { exact: true }).click()
  await reader.getByRole('button', { name: 'Larger text' }).click()
  await expect(article).toHaveCSS('font-size', '21px')

  await page.reload()
  await expect(article).toHaveCSS('font-size', '21px')
  await expect(article).toHaveAttribute('data-letters', 'sans')
  await page.goBack()
  await expect(reader).toBeHidden()
  await page.goForward()
  await expect(reader).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reader).toBeHidden()
  expect(new URL(page.url()).searchParams.has('read')).toBe(false)
}

test('a saved page shows its pictures, and its text is read by keys', { tag: '@smoke' }, async ({ page }) => {
  const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: '#3b7d5a' } })
  const sent = answer(await picture.png().toBuffer(), { 'content-type': 'image/png' })
  const pages = {
    'orchard.example/story': answer(`<html lang="en"><title>Orchards</title>
      <meta property="og:image" content="/big.png"><link rel="icon" href="/icon.png">
      <article><h1>Orchards</h1>${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(12)}</article>`),
    'orchard.example/big.png': sent,
    'orchard.example/icon.png': sent
  }
  await withServedWeb(pages, async (service) => {
    await page.goto(service.login)
    await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
    await service.insert(['http://orchard.example/story'])
    // By itself, as soon as it is known.
    const row = listOf(page).getByRole('row').filter({ hasText: 'Orchards' })
    await expect(row.locator('img')).toHaveJSProperty('naturalWidth', 64, { timeout: 30_000 })
    await row.click()
    const panel = page.getByRole('complementary', { name: 'Bookmark' })
    await expect(panel.locator('img')).toHaveJSProperty('naturalWidth', 640)
    await panel.getByRole('button', { name: 'Read' }).click()
    await readsByKeys(page, page.getByRole('dialog', { name: 'Orchards' }))
    await expect(panel).toBeVisible()
  })
})
