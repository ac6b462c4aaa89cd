import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { dropOn } from '../support/drag.ts'
import { picture } from '../support/pictures.ts'
import { expect, listOf, screenshots, tabHeaders, test } from '../support/playwright.ts'

const toast = (page: Page, text: string) => page.locator('.mantine-Notifications-root').getByText(text).first()
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Bookmark' })

test('a picture without an address is chosen, pasted or dropped, kept once, shown, and exported', async ({
  page,
  service
}) => {
  const file = async (name: string, color: string) => {
    const path = join(service.data, name)
    await writeFile(path, await picture(color, 'png', 300))
    return path
  }
  const tomato = await file('Tomato soup.png', '#ff6347')
  const navy = await file('navy.png', '#203080')
  const large = join(service.data, 'large.png')
  await writeFile(large, Buffer.alloc(10 * 1024 * 1024 + 1))

  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a bookmark' })
  await dialog.getByText('Image', { exact: true }).click()
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a picture…' }).click()
  await (await choosing).setFiles(large)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('at most 10 MB')
  await dialog.getByRole('button', { name: 'Remove the picture' }).click()
  const choosingAgain = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a picture…' }).click()
  await (await choosingAgain).setFiles(tomato)
  await expect(dialog.getByText('Tomato soup.png')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveAttribute('placeholder', 'Tomato soup')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Soup')
  await expectAccessible(page)
  await screenshots(page, 'add-picture')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved.')).toBeVisible()
  await expect(listOf(page).getByRole('row')).toHaveCount(4)

  // The same again is the same, however it comes.
  await dropOn(page, { files: [tomato] })
  await expect(toast(page, 'You have this already')).toBeVisible()
  await dropOn(page, { files: [navy] })
  await expect(listOf(page).getByRole('row').filter({ hasText: 'navy' })).toBeVisible()
  await dropOn(page, { files: [large] })
  await expect(toast(page, 'at most 10 MB')).toBeVisible()
  await paste(page, await picture('#ff6347', 'png', 300))
  await expect(dialog.getByText('image.png')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('status')).toContainText('“Soup”')
  await dialog.getByRole('button', { name: 'Open it' }).click()

  const panel = panelOf(page)
  await expect(panel.getByText('PNG, 300 × 300')).toBeVisible()
  await expect(panel.getByRole('textbox', { name: 'Address' })).toHaveCount(0)
  await expect(panel.getByRole('region', { name: 'Colors of the picture' }).getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await screenshots(page, 'picture')
  await panel.getByRole('button', { name: 'Whole picture' }).click()
  const whole = page.getByRole('dialog', { name: 'Soup' })
  await expect(whole.getByRole('img', { name: 'Soup' })).toHaveJSProperty('naturalWidth', 300)
  await expect(whole.getByRole('link', { name: 'Save a copy' })).toHaveAttribute('download', 'Soup.png')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(whole).toBeHidden()

  // A color finds the pictures that are like it.
  const data = { type: 'color', content: 'tomato', title: 'My tomato' }
  await page.request.post(`${service.url}/api/bookmarks`, { headers: await tabHeaders(page, service), data })
  await page.goto(`${service.url}/colors`)
  await listOf(page)
    .getByRole('row')
    .filter({ hasText: 'My tomato' })
    .click({ position: { x: 200, y: 4 } })
  await panel.getByRole('region', { name: 'Similar colors' }).getByRole('button', { name: 'Soup' }).click()
  await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Soup')
  await expect(
    panel.getByRole('region', { name: 'Similar colors' }).getByRole('button', { name: 'My tomato' })
  ).toBeVisible()

  const exported = await page.evaluate(async () => {
    const headers = { 'x-earmark-tab': sessionStorage.getItem('earmark-tab') ?? '' }
    return (await fetch('/api/exports?format=jsonl', { headers })).text()
  })
  const lines = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const kept = lines.flatMap((line) => ('picture' in line ? [Buffer.from(line.picture.data, 'base64')] : []))
  expect(kept).toEqual([await readFile(tomato), await readFile(navy)])
})

/** Pastes a picture as a screenshot program leaves it on the clipboard. */
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
