import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { picture } from '../support/pictures.ts'
import { dropOn, expect, listOf, test } from '../support/playwright.ts'

test('a picture is chosen from a folder, dropped and pasted, and shown as a whole', { tag: '@smoke' }, async ({
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
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(listOf(page).getByRole('row').filter({ hasText: 'soup' })).toBeVisible()
  await dropOn(page, { files: [join(service.data, 'navy.png')] })
  await expect(listOf(page).getByRole('row').filter({ hasText: 'navy' })).toBeVisible()
  await paste(page, soup)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Open it' }).click()

  await page.getByRole('button', { name: 'Whole picture' }).click()
  const whole = page.getByRole('dialog', { name: 'soup' }).getByRole('img', { name: 'soup' })
  await expect(whole).toHaveJSProperty('naturalWidth', 300)
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
