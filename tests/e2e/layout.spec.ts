// Sizes, positions, styles and scrolling, which only a real browser has.
import type { Locator, Page } from '@playwright/test'
import { tabTo } from '../support/accessible.ts'
import { expect, listOf, look, type RunningService, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })
const layout = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Layout' }).getByText(name).click({ force: true })

test('the theme applies at once, also in other tabs, and stays after a reload', { tag: '@smoke' }, async ({
  page,
  context,
  service
}) => {
  const scheme = (tab: Page) => tab.locator('html').getAttribute('data-mantine-color-scheme')
  await service.open(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
  const other = await context.newPage()
  await other.goto(service.url)
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('dark')
  await expect.poll(() => scheme(other)).toBe('dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await scheme(page)).toBe('dark')
  await page.getByText('System', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme(page)).toBe('dark')
})

test('the chosen language applies at once, and stays after a reload', async ({ page, service }) => {
  await service.open(page)
  await page.goto(`${new URL(page.url()).origin}/settings`)
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
  await expect(page.getByText('Maschinell übersetzt')).toBeVisible()
  await page.goto(new URL('/', page.url()).href)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('button', { name: 'Hinzufügen' })).toBeVisible()
  await page.goto(`${new URL(page.url()).origin}/settings`)
  await page.getByLabel('Sprache').selectOption('system')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('the menu of a tag opens at its button', async ({ page, service }) => {
  await service.ask('/bookmarks', { type: 'link', url: 'https://tagged.example/', tags: ['blue'] })
  await service.open(page)
  await page.goto(`${new URL(page.url()).origin}/tags`)
  const button = page.getByRole('main').getByRole('button', { name: 'More about blue' })
  await button.click()
  const [place, menu] = [await button.boundingBox(), await page.getByRole('menu').boundingBox()]
  expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeCloseTo((place?.x ?? 0) + (place?.width ?? 0), -1)
  expect(Math.abs((menu?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(60)
})

test('a row under the pointer shows its checkbox, and copies its address', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  const checkbox = page.getByRole('checkbox', { name: /Select .*b\.example/ })
  await expect(checkbox).toHaveCSS('opacity', '0')
  await row(page, 'b.example').hover()
  await expect(checkbox).toHaveCSS('opacity', '1')
  const cell = row(page, 'b.example').getByRole('gridcell')
  const copy = page.getByRole('button', { name: /Copy .*b\.example/ })
  const [inner, outer] = [await copy.locator('..').boundingBox(), await cell.boundingBox()]
  // The focus ring of the row is 2 pixels wide, and 3 pixels inside: its actions must not cover it.
  expect((inner?.y ?? 0) - (outer?.y ?? 0)).toBeGreaterThanOrEqual(5)
  expect((outer?.height ?? 0) - (inner?.height ?? 0)).toBeGreaterThanOrEqual(10)
  await copy.click()
  await expect(page.getByText('Copied https://b.example/')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://b.example/')
})

test('a compact list has lower rows, also after a reload', async ({ page, service }) => {
  await service.open(page)
  const height = async () => (await row(page, 'b.example').boundingBox())?.height
  expect(await height()).toBe(44)
  await layout(page, 'Compact list')
  await expect.poll(height).toBe(34)
  await page.reload()
  await expect.poll(height).toBe(34)
})

test('the grid marks the open card, and shows actions on the card under the pointer only', async ({
  page,
  service
}) => {
  await service.open(page)
  await layout(page, 'Grid')
  const cards = listOf(page).getByRole('gridcell')
  await cards.nth(2).click({ position: { x: 100, y: 60 } })
  await expect(panel(page)).toBeVisible()
  await expect(cards.nth(2)).toHaveAttribute('aria-current', 'true')
  await expect(cards.nth(2)).not.toHaveCSS('box-shadow', 'none')
  await expect(cards.nth(0)).toHaveCSS('box-shadow', 'none')
  const shown = () =>
    cards.evaluateAll((all) =>
      all.map((card) => [
        getComputedStyle(card.querySelector('[role="checkbox"]') as Element).opacity === '1',
        card.querySelector('[data-act="delete"]') !== null
      ])
    )
  for (const [checkbox, actions] of await shown()) expect(checkbox).toBe(actions)
  await cards.nth(0).hover()
  await expect.poll(shown).toEqual([
    [true, true],
    [false, false],
    [false, false]
  ])
})

test('the page does not scroll sideways on a phone', async ({ page, service }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('the palette keeps its position while its results change', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  const chosen = palette.getByRole('option', { selected: true })
  await page.keyboard.type('b.exa')
  await expect(chosen).toContainText('https://b.example/')
  const box = await palette.boundingBox()
  await page.keyboard.press('ArrowUp')
  await expect(chosen).toContainText('Search all for “b.exa”')
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toContainText('https://b.example/')
  expect(await palette.boundingBox()).toEqual(box)
})

test('the rail and the panel are resized by their edges within limits', async ({ page, service }) => {
  await service.open(page)
  await listOf(page).getByRole('row').first().click()
  const rail = page.getByRole('navigation')
  const drag = async (name: string, by: number) => {
    const box = await page.getByRole('separator', { name }).boundingBox()
    if (!box) throw new Error(`The edge “${name}” is not visible.`)
    const [x, y] = [box.x + box.width / 2, box.y + 300]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by, y, { steps: 4 })
    await page.mouse.up()
    await page.mouse.move(x + by - 200, y) // the edge no longer follows
  }
  const widthOf = async (part: Locator) => Math.round((await part.boundingBox())?.width ?? 0)
  await drag('Width of the sidebar', 60)
  await expect.poll(() => widthOf(rail)).toBe(292)
  await drag('Width of the panel', -100)
  await expect.poll(() => widthOf(panel(page))).toBe(500)
  await drag('Width of the panel', -500)
  await expect.poll(() => widthOf(panel(page))).toBe(640)
  await page.keyboard.press('Control+b')
  await expect(rail).not.toBeInViewport()
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expect(rail).toHaveAttribute('inert')
  await expect(rail).not.toBeInViewport()
  await page.keyboard.press('Control+b')
  await expect.poll(() => widthOf(rail)).toBe(292)
})

test.describe('by Tab', () => {
  test('the first link skips the rail, and focus shows a ring, also on fields without a border', async ({
    page,
    service
  }) => {
    await service.open(page)
    await expect(listOf(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Earmark' })).toBeFocused()
    await expect(page.getByRole('link', { name: 'Earmark' })).toHaveCSS('outline-style', 'solid')
    const order = page.getByRole('combobox', { name: 'Order' })
    await tabTo(page, order)
    await expect(order).toHaveCSS('outline-style', 'solid')
  })

  test('the menu of a saved search and the tags of the rail are reached', async ({ page, service }) => {
    await service.ask('/searches', { name: 'Site A', address: '/?q=a.example' })
    await service.ask('/bookmarks', { type: 'link', url: 'https://tagged.example/', tags: ['blue'] })
    await service.open(page)
    const rail = page.getByRole('navigation')
    const more = rail.getByRole('button', { name: 'More about Site A' })
    await expect(more).toHaveCount(1)
    await tabTo(page, more)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Pin to the top' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    const tag = rail.getByRole('link', { name: 'blue 1', exact: true })
    await expect(tag).toBeVisible()
    const toggle = rail.getByRole('button', { name: 'Tags' })
    await tabTo(page, toggle)
    await page.keyboard.press('Enter')
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await expect(tag).toBeHidden()
  })
})

test.describe('in a list of 700', () => {
  test.use({ pages: Array.from({ length: 700 }, (_, index) => `https://page-${index}.example/`) })

  const scrollTop = (page: Page) => listOf(page).evaluate((list) => list.scrollTop)

  async function scrollDown(page: Page, service: RunningService): Promise<void> {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await listOf(page).evaluate((list) => list.scrollTo(0, 20_000))
    await page.waitForFunction(() => history.state?.scroll === 20_000)
  }

  async function openTags(page: Page): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
    await expect(page.getByRole('heading', { name: 'Tags', level: 1 })).toBeVisible()
  }

  test('the position stays after the panel, another page, and a reload', async ({ page, service }) => {
    await scrollDown(page, service)
    const there = listOf(page).locator('[data-index="460"]')
    await expect(there).toBeVisible()
    const text = (await there.textContent()) ?? ''
    await there.click()
    await expect(panel(page)).toBeVisible()
    await page.goBack()
    await expect(panel(page)).toHaveCount(0)
    expect(await scrollTop(page)).toBe(20_000)
    await openTags(page)
    await page.goBack()
    await expect(there).toHaveText(text)
    expect(await scrollTop(page)).toBe(20_000)
    await page.reload()
    await expect(there).toHaveText(text)
    expect(await scrollTop(page)).toBe(20_000)
    // The cursor is there too, after a reload and on the way back.
    for (const back of [false, true]) {
      if (back) {
        await openTags(page)
        await page.goBack()
        await expect(there).toBeVisible()
      }
      await listOf(page).focus()
      await page.keyboard.press('ArrowDown')
      expect(await scrollTop(page)).toBeGreaterThan(19_000)
    }
  })

  test('another view begins at the top, and going back returns to the position', async ({ page, service }) => {
    await scrollDown(page, service)
    await page.getByRole('combobox', { name: 'Search bookmarks' }).fill('page-1')
    await expect(page).toHaveURL(/q=page-1/)
    await expect.poll(() => scrollTop(page)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL(`${service.url}/`)
    await expect.poll(() => scrollTop(page)).toBe(20_000)
  })

  test('a new bookmark does not move a list that was scrolled, and a button shows it', async ({ page, service }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('700 bookmarks')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
    await listOf(page).focus()
    await page.keyboard.press('End')
    await expect(listOf(page).locator('[data-index="699"]')).toBeVisible()
    await service.insert('https://agent.example/new')
    const show = page.getByRole('button', { name: '1 new: show' })
    await expect(show).toBeVisible()
    await expect(listOf(page).locator('[data-index="699"]')).toBeVisible()
    await look(page, 'one-new')
    // Nor does an edit, whose row changes in its place.
    const { bookmarks } = await service.ask<{ bookmarks: { id: string }[] }>(
      '/bookmarks?limit=1&words=page-0',
      {},
      'GET'
    )
    await listOf(page).locator('[data-index="699"]').click()
    await panel(page).getByRole('textbox', { name: 'Title' }).fill('Renamed meanwhile')
    await expect(panel(page).getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    await expect(listOf(page).locator('[data-index="699"]')).toContainText('Renamed meanwhile')
    const reported = page.waitForResponse('**/api/bookmarks/counts')
    await service.ask(`/bookmarks/${bookmarks[0]?.id}`, { description: 'Of an agent' }, 'PATCH')
    await reported
    await expect(listOf(page).locator('[data-index="699"]')).toContainText('Renamed meanwhile')
    await expect(show).toBeVisible()
    await show.click()
    await expect(row(page, 'agent.example')).toBeVisible()
    await expect(show).toHaveCount(0)
  })
})

test.describe('in forced colors', () => {
  const style = (locator: Locator, name: string) =>
    locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

  /** Per document: the browser drops the emulation on some navigations. */
  async function forceColors(page: Page): Promise<void> {
    const isForced = async () => {
      await page.emulateMedia({ forcedColors: null })
      await page.emulateMedia({ forcedColors: 'active' })
      return page.evaluate(() => matchMedia('(forced-colors: active)').matches)
    }
    await expect.poll(isForced).toBe(true)
  }

  test('the chosen row, option, link and radio look different from the others', async ({ page, service }) => {
    await service.open(page)
    await forceColors(page)
    await expect(listOf(page).getByRole('row')).toHaveCount(3)
    const [first, second] = [listOf(page).getByRole('gridcell').first(), listOf(page).getByRole('gridcell').nth(1)]
    await page.keyboard.press('x')
    await expect(first).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => style(first, 'outline-style')).toBe('solid')
    expect(await style(second, 'outline-style')).toBe('none')
    const tick = (cell: Locator) =>
      cell
        .getByRole('checkbox')
        .evaluate((box) => getComputedStyle(box, '::before').getPropertyValue('forced-color-adjust'))
    expect([await tick(first), await tick(second)]).toEqual(['none', 'auto'])
    await page.keyboard.press('Control+k')
    const options = page.getByRole('dialog').getByRole('option')
    await expect.poll(() => style(options.first(), 'outline-style')).toBe('solid')
    expect(await style(options.nth(1), 'outline-style')).toBe('none')
    await page.keyboard.press('Escape')

    await page.goto(`${service.url}/settings`)
    await forceColors(page)
    const links = page.getByRole('navigation').first().getByRole('link')
    await expect.poll(() => style(links.filter({ hasText: 'Settings' }), 'outline-style')).toBe('solid')
    expect(await style(links.filter({ hasText: 'API Keys' }), 'outline-style')).toBe('none')
    const label = (checked: boolean) =>
      page.locator('.mantine-SegmentedControl-control').filter({ has: page.getByRole('radio', { checked }) })
    await expect(label(true).first()).toBeVisible()
    const outlines = [true, false].map((checked) => style(label(checked).first().locator('label'), 'outline-style'))
    expect(await Promise.all(outlines)).toEqual(['solid', 'none'])
  })

  test('swatches and the connection dot keep their colors', async ({ page, service }) => {
    await service.open(page)
    for (const content of ['#203080', '#213181']) await service.ask('/bookmarks', { type: 'color', content })
    await page.goto(`${service.url}/colors`)
    await forceColors(page)
    await listOf(page)
      .getByRole('gridcell')
      .first()
      .click({ position: { x: 100, y: 60 } })
    for (const part of [
      page.getByRole('region', { name: 'Similar colors' }).getByRole('button').first(),
      page.getByRole('complementary').locator('div[style*="background-color"]'),
      page.getByRole('img', { name: 'Connected', exact: true }).first()
    ]) {
      await expect(part).toHaveCSS('forced-color-adjust', 'none')
    }
  })
})
