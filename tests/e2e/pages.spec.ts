import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'
import { withServedWeb } from '../support/served-web.ts'
import { type Answering, page as answer } from '../support/test-web.ts'

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

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
  await expect(count).toHaveText(/^\d+ of 40$/)
  await page.keyboard.press('Enter')
  await screenshots(page, 'page-reader-find')
  await page.keyboard.type('x')
  await expect(count).toHaveText('Not found')
  await page.keyboard.press('Escape')
  await expect(count).toBeHidden()
  await expect(article).toBeFocused()

  await reader.getByRole('button', { name: 'How texts look' }).click()
  await page.mouse.move(0, 400)
  await expect(page.getByRole('tooltip')).toBeHidden()
  await expectAccessible(page, 'how texts look')
  await reader.getByText('Sans', { exact: true }).click()
  await reader.getByRole('button', { name: 'Larger letters' }).click()
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

const MORE = `<ol><li>Prune</li><li>Pick <a href="/pick">when ripe</a><ul><li>by hand</li></ul></li></ol>
  <blockquote><p>An apple a day.</p></blockquote><pre>for (tree of orchard) {

  pick(tree)
}</pre><table><tr><th>Fruit</th><th>Month</th></tr><tr><td>Quince</td><td>October</td></tr></table>
  <p>זהו משפט שלם בעברית, שנקרא מימין לשמאל, עם המילה apple בתוכו.</p><p>果樹園の古い壁の中で、庭師は林檎を数える。</p>
  ${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(12)}`

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
        <article><h1>Orchards</h1><p>${LINE} ${LINE}</p><h2>Later</h2><p>&lt;img src=x onerror=alert(1)&gt; ${LINE}</p>${MORE}</article>`),
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
    await expect(reader.getByRole('link', { name: 'when ripe' })).toHaveAttribute('href', 'http://orchard.example/pick')
    await expect(reader.getByRole('list').first().getByRole('listitem')).toHaveText([/Prune/, /Pick/, 'by hand'])
    await expect(reader.getByRole('blockquote')).toHaveText('An apple a day.')
    await expect(reader.getByRole('columnheader', { name: 'Month' })).toBeVisible()
    await expect(reader.locator('pre')).toHaveText(/{\n\n {2}pick/)
    await readsByKeys(page, reader)
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

    await page.getByRole('link', { name: 'Settings' }).click()
    const fetching = page.getByRole('switch', { name: 'Fetch page details' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await fetching.click()
    await saved
    await page.reload()
    await expect(fetching).toBeEnabled()
    await expect(fetching).not.toBeChecked()
  })
})
