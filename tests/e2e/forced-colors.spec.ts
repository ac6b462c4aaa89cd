import type { Locator, Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const styleOf = (locator: Locator, name: string) =>
  locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

test('with the system’s own colors, what is chosen is seen', async ({ page, service }) => {
  await service.open(page)
  await forceColors(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  const [first, second] = [listOf(page).getByRole('gridcell').first(), listOf(page).getByRole('gridcell').nth(1)]
  await page.keyboard.press('x')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => styleOf(first, 'outline-style')).toBe('solid')
  expect(await styleOf(second, 'outline-style')).toBe('none')
  const tick = (cell: Locator) =>
    cell
      .getByRole('checkbox')
      .evaluate((box) => getComputedStyle(box, '::before').getPropertyValue('forced-color-adjust'))
  expect([await tick(first), await tick(second)]).toEqual(['none', 'auto'])
  await page.keyboard.press('Control+k')
  const options = page.getByRole('dialog').getByRole('option')
  const [chosen, other] = [options.first(), options.nth(1)]
  await expect.poll(() => styleOf(chosen, 'outline-style')).toBe('solid')
  expect(await styleOf(other, 'outline-style')).toBe('none')
  await page.keyboard.press('Escape')

  await page.goto(`${service.url}/settings`)
  await forceColors(page)
  const current = page.getByRole('navigation').getByRole('link', { name: 'Settings' })
  await expect.poll(() => styleOf(current, 'outline-style')).toBe('solid')
  const radio = (checked: boolean) => page.getByRole('radio', { checked }).first()
  await expect(radio(true)).toBeAttached()
  const grounds = await Promise.all([true, false].map((checked) => seenGround(radio(checked))))
  expect(grounds[0], 'a chosen radio looks otherwise').not.toBe(grounds[1])
  const dot = page.getByRole('img', { name: 'Connected', exact: true }).first()
  expect(await styleOf(dot, 'forced-color-adjust')).toBe('none')
})

test('with the system’s own colors, a color is still seen as it is', async ({ page, service }) => {
  await service.open(page)
  for (const content of ['#203080', '#213181']) await service.ask('/bookmarks', { type: 'color', content })
  await page.goto(`${service.url}/colors`)
  await forceColors(page)
  await listOf(page)
    .getByRole('gridcell')
    .first()
    .click({ position: { x: 100, y: 60 } })
  const similar = page.getByRole('region', { name: 'Similar colors' }).getByRole('button').first()
  await expect(similar).toHaveCSS('forced-color-adjust', 'none')
  await expect(page.getByRole('complementary').locator('div[style*="background-color"]')).toHaveCSS(
    'forced-color-adjust',
    'none'
  )
})

/** Asked of each document: the browser forgets it with some navigations. */
async function forceColors(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.emulateMedia({ forcedColors: null })
      await page.emulateMedia({ forcedColors: 'active' })
      return page.evaluate(() => matchMedia('(forced-colors: active)').matches)
    })
    .toBe(true)
}

/** What is seen of a radio: its own ground, or the line around its label where it is drawn as one of several buttons. */
function seenGround(radio: Locator): Promise<string> {
  return radio.evaluate((element) => {
    const label = element.closest('.mantine-SegmentedControl-control')?.querySelector(`label[for="${element.id}"]`)
    const { backgroundColor, outlineStyle } = getComputedStyle(label ?? element)
    return `${backgroundColor} ${outlineStyle}`
  })
}
