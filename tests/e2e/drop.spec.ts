import type { Page } from '@playwright/test'
import { type Drag, type Dragged, dragOver, dropOn, expect, listOf, test } from '../support/playwright.ts'

const link = (url: string, html = ''): Dragged => ({
  items: { 'text/uri-list': url, 'text/plain': url, ...(html && { 'text/html': html }) }
})
const toast = (page: Page, text: string) => page.locator('.mantine-Notifications-root').getByText(text).first()

/** Drags over the window until it says that it takes it: before that the browser drops nothing. */
async function dragSeen(page: Page, dragged: Dragged): Promise<Drag> {
  const drag = await dragOver(page, dragged)
  const hint = page.getByText('Drop to save')
  await expect(async () => {
    if (!(await hint.isVisible())) await drag.again()
    await expect(hint).toBeVisible({ timeout: 1000 })
  }).toPass()
  return drag
}

test('what is dropped on the window is saved at once and can be taken back, and the page stays', async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const url = page.url()

  const drag = await dragSeen(page, link('https://drop.example/one', '<a href="https://drop.example/one">The one</a>'))
  await drag.drop()
  await expect(toast(page, 'Saved.')).toBeVisible()
  await expect(page.getByText('Drop to save')).toBeHidden()
  await expect(listOf(page)).toContainText('The one')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Undone: Saved.')).toBeVisible()
  await expect(listOf(page)).not.toContainText('The one')

  await dropOn(page, link('https://a.example/page', '<img src="data:image/png;base64,xx">'))
  await expect(page.getByText('This picture has no address.')).toBeVisible()
  expect(page.url()).toBe(url)
})

test('fields and dialogs keep what is theirs', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const field = page
    .getByRole('searchbox')
    .or(page.getByRole('combobox', { name: 'Search bookmarks' }))
    .first()
  const box = await field.boundingBox()
  await dropOn(page, { items: { 'text/plain': 'dropped words' } }, { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 10 })
  await expect(field).toHaveValue('dropped words')
  await field.fill('')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await dropOn(page, link('https://behind.example/'), { x: 40, y: 700 })
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
})
