import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'
import { withServedWeb } from '../support/served-web.ts'
import { type Answering, page as answer } from '../support/test-web.ts'

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

const LINE =
  'The patient gardener counts every apple, pear and quince in the walled orchard behind the old stone house.'

test('a saved page shows its name, its pictures and its text, or why not, and can be fetched again', async ({
  page
}) => {
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#3b7d5a' } })
    .png()
    .toBuffer()
  const sent = answer(picture, { 'content-type': 'image/png' })
  const pages: Record<string, Answering> = {
    'orchard.example/story':
      answer(`<html lang="en"><title>Orchards</title><meta property="og:site_name" content="Garden weekly">
        <meta property="og:image" content="/big.png"><link rel="icon" href="/icon.png">
        <article><h1>Orchards</h1><p>${LINE} ${LINE}</p><h2>Later</h2><p>&lt;img src=x onerror=alert(1)&gt; ${LINE}</p></article>`),
    'orchard.example/big.png': sent,
    'orchard.example/icon.png': sent,
    'wall.example/how-to-peel-a-mango': answer('<title>Just a moment...</title>')
  }
  await withServedWeb(pages, async (service) => {
    await page.goto(service.login)
    await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
    const urls = ['http://orchard.example/story', 'http://wall.example/how-to-peel-a-mango']
    await service.insert(urls)

    // By itself, as soon as it is known.
    await expect(row(page, 'Orchards')).toBeVisible()
    const shown = (image: SVGElement | HTMLElement) => (image as HTMLImageElement).naturalWidth
    await expect.poll(() => row(page, 'Orchards').locator('img').evaluate(shown)).toBe(64)
    await row(page, 'Orchards').click()
    const panel = page.getByRole('complementary', { name: 'Bookmark' })
    await expect(panel.getByText('Garden weekly')).toBeVisible()
    await expect(panel.getByText(/^Page details fetched/)).toBeVisible()
    await expect.poll(() => panel.locator('img').evaluate(shown)).toBe(640)
    await screenshots(page, 'page-details')
    await expectAccessible(page, 'page details')

    await panel.getByRole('button', { name: 'Read' }).click()
    const reader = page.getByRole('dialog', { name: 'Orchards' })
    await expect(reader.getByRole('heading', { name: 'Later' })).toBeVisible()
    await expect(reader.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
    await screenshots(page, 'page-reader')
    await expectAccessible(page, 'reader')
    await page.keyboard.press('Escape')
    await expect(reader).toBeHidden()
    await expect(panel).toBeVisible()

    await page
      .getByRole('searchbox', { name: 'Search bookmarks' })
      .or(page.getByLabel('Search bookmarks'))
      .first()
      .fill('patient gardener')
    await expect(row(page, 'Orchards')).toContainText('patient gardener')
    await page.getByRole('button', { name: 'Clear search' }).click()

    await row(page, 'How to peel a mango').click()
    await expect(panel.getByText('proof that a person is asking')).toBeVisible()
    pages['wall.example/how-to-peel-a-mango'] = answer('<title>Mangoes, peeled</title>')
    await panel.getByRole('button', { name: 'Fetch again' }).click()
    await expect(row(page, 'Mangoes, peeled')).toBeVisible()
    await expect(panel.getByText(/^Page details fetched/)).toBeVisible()
  })
})
