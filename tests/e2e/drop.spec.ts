// Links, texts and pictures that are dropped, pasted or chosen.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { picture } from '../support/pictures.ts'
import { type Drag, type Dragged, dragOver, dropOn, expect, listOf, look, test } from '../support/playwright.ts'

const link = (url: string, html = ''): Dragged => ({
  items: { 'text/uri-list': url, 'text/plain': url, ...(html && { 'text/html': html }) }
})
const toast = (page: Page, text: string) => page.locator('.mantine-Notifications-root').getByText(text).first()

/** Drags over the window until its hint shows: before that the browser drops nothing. */
async function dragUntilHint(page: Page, dragged: Dragged): Promise<Drag> {
  const drag = await dragOver(page, dragged)
  const hint = page.getByText('Drop to save')
  await expect(async () => {
    if (!(await hint.isVisible())) await drag.again()
    await expect(hint).toBeVisible({ timeout: 1000 })
  }).toPass()
  return drag
}

test('a link dropped on the window is saved and undone, and the page stays', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const url = page.url()
  const html = '<a href="https://drop.example/one">The one</a>'
  const drag = await dragUntilHint(page, link('https://drop.example/one', html))
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

test('a field takes the text dropped on it, and nothing is saved behind a dialog', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Search bookmarks' })
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

test('a picture is chosen from a folder, dropped, pasted, and shown whole', { tag: '@smoke' }, async ({
  page,
  service
}) => {
  const soup = await picture('#ff6347', 'png', 300)
  const files = { 'soup.png': soup, 'navy.png': await picture('#203080') }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(service.data, name), bytes)

  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a bookmark' })
  await dialog.getByText('Image', { exact: true }).click()
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a picture…' }).click()
  await (await choosing).setFiles(join(service.data, 'soup.png'))
  await expect(dialog.getByText('soup.png')).toBeVisible()
  await look(page, 'add-picture')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(listOf(page).getByRole('row').filter({ hasText: 'soup' })).toBeVisible()
  await dropOn(page, { files: [join(service.data, 'navy.png')] })
  await expect(listOf(page).getByRole('row').filter({ hasText: 'navy' })).toBeVisible()
  await paste(page, soup)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Open it' }).click()

  await expect(page.getByText('PNG, 300 × 300')).toBeVisible()
  await look(page, 'panel-picture')
  await page.getByRole('button', { name: 'Whole picture' }).click()
  const whole = page.getByRole('dialog', { name: 'soup' }).getByRole('img', { name: 'soup' })
  await expect(whole).toHaveJSProperty('naturalWidth', 300)
})

/** Pastes a picture in the form in which a screenshot program copies it. */
async function paste(page: Page, bytes: Uint8Array): Promise<void> {
  await page.locator('body').evaluate(
    (body, numbers) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(numbers)], 'image.png', { type: 'image/png' }))
      body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [...bytes]
  )
}
