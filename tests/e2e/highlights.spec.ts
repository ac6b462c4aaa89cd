// Highlights of a text: made by pointer and by keys, kept, changed, undone, and found again from elsewhere.
import type { Locator, Page } from '@playwright/test'
import { expect, listOf, look, test } from '../support/playwright.ts'
import { page as answer, withServedWeb } from '../support/test-web.ts'

const LINE =
  'The patient gardener counts every apple, pear and medlar in the walled orchard behind the old stone house.'
const STORY = `<html lang="en"><title>Orchards</title><article><h1>Orchards</h1>
  ${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(12)}<h2>Later</h2>
  <p>In October the <em>quince</em> turns yellow, and its scent fills the cellar until the first frost.</p>
  ${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(6)}</article>`

/** Number of highlights that are drawn in a color. */
const drawn = (page: Page, color: string) =>
  page.evaluate((name) => CSS.highlights.get(`mark-${name}`)?.size ?? 0, color)

/** Returns the points where a text begins and ends in an element. */
function pointsOf(element: Locator, text: string) {
  return element.evaluate((root, sought) => {
    root.scrollIntoView({ block: 'center' })
    const range = new Range()
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const start = node.nodeValue?.indexOf(sought) ?? -1
      if (start < 0) continue
      range.setStart(node, start)
      range.setEnd(node, start + sought.length)
    }
    const { left, right, top, bottom } = range.getBoundingClientRect()
    return { left, right, y: (top + bottom) / 2 }
  }, text)
}

test('a passage is highlighted, noted, kept, undone and found again', async ({ page }) => {
  test.slow() // five checks of the whole page for accessibility
  await withServedWeb({ 'orchard.example/story': answer(STORY) }, async (service) => {
    await page.goto(service.login)
    await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
    await service.insert(['http://orchard.example/story'])
    await listOf(page).getByRole('row').filter({ hasText: 'Orchards' }).click()
    const panel = page.getByRole('complementary', { name: 'Bookmark' })
    await panel.getByRole('button', { name: 'Read' }).click()
    const reader = page.getByRole('dialog', { name: 'Orchards' })
    const bar = page.getByRole('dialog', { name: 'Highlight' })
    const passage = reader.getByText('turns yellow')

    const place = await pointsOf(passage, 'turns yellow')
    await page.mouse.move(place.left, place.y)
    await page.mouse.down()
    await page.mouse.move(place.right, place.y, { steps: 4 })
    await page.mouse.up()
    await expect(bar).toBeVisible()
    await look(page, 'highlight-bar')
    await bar.getByRole('button', { name: 'Note' }).click()
    await expect(bar.getByRole('textbox', { name: 'Note' })).toBeFocused()
    await page.keyboard.type('For the jam')
    await bar.getByRole('button', { name: 'Green' }).click()
    await look(page, 'highlight-open')
    await page.keyboard.press('Escape')
    await expect(bar).toBeHidden()
    await expect(reader.getByRole('article')).toBeFocused()
    await expect.poll(() => drawn(page, 'green')).toBe(1)

    await page.reload()
    await expect.poll(() => drawn(page, 'green')).toBe(1)
    const again = await pointsOf(passage, 'yellow')
    await page.mouse.click(again.left + 4, again.y)
    await expect(bar.getByRole('textbox', { name: 'Note' })).toHaveValue('For the jam')
    await page.keyboard.press('Escape')

    // By keys: what was found last is selected.
    await page.keyboard.press('Control+f')
    await page.keyboard.type('first frost')
    await expect(reader.getByRole('status')).toHaveText('1 of 1')
    await page.keyboard.press('Escape')
    await expect(bar).toBeVisible()
    await page.keyboard.press('h')
    await expect.poll(() => drawn(page, 'yellow')).toBe(1)
    await page.keyboard.press('Control+z')
    await expect.poll(() => drawn(page, 'yellow')).toBe(0)

    await reader.getByRole('button', { name: 'Highlights: 1' }).click()
    const list = reader.getByRole('complementary', { name: 'Highlights' })
    await expect(list).toBeFocused()
    await page.mouse.move(0, 400)
    await expect(page.getByRole('tooltip')).toBeHidden()
    await look(page, 'highlight-list')
    await list.getByRole('link', { name: 'All highlights' }).click()
    await expect(page.getByRole('heading', { name: 'Highlights', level: 1 })).toBeVisible()
    await look(page, 'highlights')
    await page.getByRole('link', { name: /turns yellow/ }).click()
    await expect(bar.getByRole('textbox', { name: 'Note' })).toHaveValue('For the jam')
    await expect(passage).toBeInViewport()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('link', { name: /turns yellow/ })).toBeFocused()
  })
})
