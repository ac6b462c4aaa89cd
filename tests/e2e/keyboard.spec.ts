import type { Page } from '@playwright/test'
import { tabTo } from '../support/accessible.ts'
import { expect, listOf, test } from '../support/playwright.ts'

const active = (page: Page) => listOf(page).locator('[data-active]')
const panel = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })

test('keys are the list’s from the start, the panel follows the cursor, and the open row is marked', async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('j')
  await expect(listOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(listOf(page)).toBeFocused()
  await active(page).click()
  const address = panel(page).getByLabel('Address')
  const second = await address.inputValue()
  await page.keyboard.press('k')
  await expect(address).not.toHaveValue(second)
  await expect(listOf(page).locator('[data-opened]')).toHaveCount(1)
  expect(await listOf(page).locator('[data-opened]').getAttribute('id')).toBe(await active(page).getAttribute('id'))
  await page.keyboard.press('ArrowDown')
  await expect(address).toHaveValue(second)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
})

test('what is typed at once after the key that opens a field goes into it, and does nothing else', async ({
  page,
  context,
  service
}) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  const fields = {
    'Control+k': page.getByRole('dialog').getByRole('combobox'),
    n: page.getByRole('dialog').getByRole('textbox', { name: 'What to save' }),
    t: page.getByRole('dialog', { name: 'Tags of what is selected' }).getByRole('combobox')
  }
  const opened: string[] = []
  context.on('page', (tab) => opened.push(tab.url()))
  for (const [key, field] of Object.entries(fields)) {
    await listOf(page).focus()
    // All of it in one turn of the page: nothing that opens is there yet.
    await page.evaluate(
      (keys) => {
        for (const key of keys) {
          const control = key.startsWith('Control+')
          const pressed = { key: key.replace('Control+', ''), ctrlKey: control, bubbles: true, cancelable: true }
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', pressed))
        }
      },
      [key, 'x', 'Backspace', ...'order']
    )
    await expect(field).toHaveValue('order')
    await expect(field).toBeFocused()
    await page.keyboard.type('s')
    await expect(field).toHaveValue('orders')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(opened).toEqual([])
  expect(page.url()).not.toContain('open=')
  expect(await listOf(page).getByRole('row').count()).toBe(3)
})

test('after an overlay the list has the keys again', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  for (const overlay of ['?', 'Control+k', 'n']) {
    await page.keyboard.press(overlay)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const before = await active(page).getAttribute('id')
    await page.keyboard.press(overlay === '?' ? 'j' : 'ArrowUp')
    if (overlay === '?') await expect(active(page)).not.toHaveAttribute('id', before ?? '')
    await expect(listOf(page)).toBeFocused()
  }
})

test('t tags and m moves the bookmark under the cursor; g and a letter go to a place', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('j')
  await page.keyboard.press('t')
  const tags = page.getByRole('dialog', { name: 'Tags of what is selected' })
  await expect(tags.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('by key')
  await page.keyboard.press('Enter')
  await expect(tags.getByRole('option', { name: 'by key, on all' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(active(page)).toContainText('by key')
  await page.keyboard.press('Escape')
  await listOf(page).focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Public' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem', { name: 'Public' })).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(`${service.url}/tags`)
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(listOf(page)).toBeVisible()
})

test('a field without a border shows the focus by a ring', async ({ page, service }) => {
  await service.open(page)
  const order = page.getByRole('combobox', { name: 'Order' })
  await tabTo(page, order)
  await expect(order).toHaveCSS('outline-style', 'solid')
})
