// What is fetched from the web: pages, pictures, and the state of links.
import type { Locator, Page } from '@playwright/test'
import { picture } from '../support/pictures.ts'
import { expect, listOf, look, test } from '../support/playwright.ts'
import { type Answering, page as answer, redirect, withServedWeb } from '../support/test-web.ts'

const LINE =
  'The patient gardener counts every apple, pear and quince in the walled orchard behind the old stone house.'
const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })

test('a saved page shows its pictures, and its text is read by keys', { tag: '@smoke' }, async ({ page }) => {
  test.slow() // pictures are decoded in a process of low priority, and other tests run beside this one
  const sent = answer(Buffer.from(await picture('#3b7d5a', 'png', 640)), { 'content-type': 'image/png' })
  const pages = {
    'orchard.example/story': answer(`<html lang="en"><title>Orchards</title>
      <meta property="og:image" content="/big.png"><link rel="icon" href="/icon.png">
      <article><h1>Orchards</h1>${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(12)}<h2>Later</h2>
      <ol><li>Pick <a href="/pick">when ripe</a></li></ol><blockquote><p>An apple a day.</p></blockquote>
      <pre>pick(tree)</pre><table><tr><th>Fruit</th></tr><tr><td>Pear</td></tr></table></article>`),
    'orchard.example/big.png': sent,
    'orchard.example/icon.png': sent
  }
  await withServedWeb(pages, async (service) => {
    await page.goto(service.login)
    await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
    await service.insert(['http://orchard.example/story'])
    await expect(row(page, 'Orchards').locator('img')).toHaveJSProperty('naturalWidth', 64, { timeout: 90_000 })
    await row(page, 'Orchards').click()
    const panel = panelOf(page)
    await expect(panel.locator('img')).toHaveJSProperty('naturalWidth', 480) // the height of a preview
    await expect(panel.getByText(/^Page details fetched/)).toBeVisible()
    await look(page, 'page-details')
    await panel.getByRole('button', { name: 'Read' }).click()
    await readByKeys(page, page.getByRole('dialog', { name: 'Orchards' }))
    await expect(panel).toBeVisible()
  })
})

/** Scrolls, searches and changes the letters by keys, opens the reader by its address, and closes it by Back and Escape. */
async function readByKeys(page: Page, reader: Locator): Promise<void> {
  const article = reader.getByRole('article')
  const scrollTop = () => article.evaluate((element) => element.scrollTop)
  await expect(article).toBeFocused()
  expect((await article.boundingBox())?.width).toBe(page.viewportSize()?.width)
  await look(page, 'page-reader')
  await page.keyboard.press('Space')
  await expect.poll(scrollTop).toBeGreaterThan(200)
  const before = await scrollTop()
  await page.keyboard.press('k')
  await expect.poll(scrollTop).toBeLessThan(before)

  await page.keyboard.press('Control+f')
  await page.keyboard.type('QUINCE')
  const count = reader.getByRole('status')
  await expect(count).toHaveText(/^\d+ of 36$/)
  await look(page, 'page-reader-find')
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
  await page.mouse.move(0, 400)
  await expect(page.getByRole('tooltip')).toBeHidden()
  await look(page, 'page-reader-look')

  const stop = reader.getByRole('heading', { name: 'Later' })
  const top = async () => ((await stop.boundingBox())?.y ?? 0) - ((await article.boundingBox())?.y ?? 0)
  await article.evaluate((element) => element.scrollTo({ top: element.scrollHeight - 1.5 * element.clientHeight }))
  const stopped = await top()
  await page.waitForRequest(/\/page\/place$/)
  await page.reload()
  await expect.poll(async () => Math.abs((await top()) - stopped)).toBeLessThan(3)
  await look(page, 'page-reader-resumed')
  await reader.getByRole('button', { name: 'From the beginning' }).click()
  await expect.poll(scrollTop).toBe(0)
  await expect(article).toBeFocused()
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

test('a link check finds broken links, and moved links get their new address or are merged', {
  tag: '@smoke'
}, async ({ page }) => {
  const pages: Record<string, Answering> = {
    'well.example/': answer('<title>Well and there</title>'),
    'fades.example/story': answer('<title>Fading story</title>'),
    'old.example/one': answer('<title>First to move</title>'),
    'old.example/two': answer('<title>Second to move</title>'),
    'new.example/one': answer('<title>First to move</title>'),
    'new.example/two': answer('<title>Moved before</title>')
  }
  await withServedWeb(pages, async (service) => {
    const urls = ['well.example/', 'fades.example/story', 'old.example/one', 'old.example/two', 'new.example/two']
    await service.insert(urls.map((url) => `http://${url}`))
    await page.goto(service.login)
    for (const title of ['Well and there', 'Fading story', 'First to move', 'Second to move', 'Moved before']) {
      await expect(row(page, title)).toBeVisible()
    }

    delete pages['fades.example/story']
    pages['old.example/one'] = redirect('http://new.example/one', 301)
    pages['old.example/two'] = redirect('http://new.example/two', 301)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('check links')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Check all links?' })
    await question.getByText('Earmark sends 5 requests').waitFor()
    await question.getByRole('button', { name: 'Check all links' }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText(/^Last check .*: 5 links\. 1 broken, 2 moved\.$/)).toBeVisible()
    await look(page, 'links-checked')
    await page.getByRole('link', { name: 'Broken links: 1' }).click()
    await expect(row(page, 'Fading story')).toContainText('Broken')
    await expect(listOf(page).getByRole('row')).toHaveCount(1)
    await row(page, 'Fading story').click()
    const panel = panelOf(page)
    await expect(panel.getByText('This link is broken: the page is no longer there.')).toBeVisible()
    await look(page, 'broken-link')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Remove filter Broken links' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Link' }).click()
    await page.getByRole('option', { name: 'Moved' }).click()
    await expect(listOf(page).getByRole('row')).toHaveCount(2)
    await row(page, 'First to move').click()
    await expect(panel.getByText('This page moved to')).toBeVisible()
    await panel.getByRole('button', { name: 'Use the new address' }).click()
    await expect(row(page, 'First to move')).toBeHidden()
    await expect(panel.getByLabel('Address')).toHaveValue('http://new.example/one')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'First to move')).toContainText('Moved')
    await page.keyboard.press('Escape')

    await row(page, 'First to move').getByRole('checkbox').click()
    await row(page, 'Second to move').getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Use new addresses' }).click()
    await expect(page.getByText(/1 bookmark has the new address\. Its new address is saved already/)).toBeVisible()
    await expect(row(page, 'Second to move')).toBeVisible()
    await expect(row(page, 'First to move')).toBeHidden()
  })
})
