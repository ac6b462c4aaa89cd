import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'

// axe reads every page four times or more.
test.describe.configure({ timeout: 180_000 })

interface DroppedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

/** Drops a file on the page, as from a folder's window. */
async function dropFile(page: Page, { name, mimeType, buffer }: DroppedFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([base64, fileName, type]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], fileName, { type }))
      return transfer
    },
    [buffer.toString('base64'), name, mimeType] as const
  )
  await page.locator('body').dispatchEvent('dragover', { dataTransfer })
  await page.locator('body').dispatchEvent('drop', { dataTransfer })
}

test.describe('an empty library', () => {
  test.use({ pages: [] })

  test('leads to the import of a file: preview, import, the list of rejects, undo', async ({ page, service }) => {
    const html = ['https://kept.example/', 'https://kept.example/#again', 'javascript:alert(1)'].map(
      (url, index) => `<DT><A HREF="${url}" SHORTCUTURL="k">Kept ${index}</A>\n`
    )
    const file = {
      name: 'bookmarks.html',
      mimeType: 'text/html',
      buffer: Buffer.from(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${html.join('')}</DL><p>\n`)
    }
    await service.open(page)
    await page.getByRole('button', { name: 'Import a file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import bookmarks' })
    await expectAccessible(page)
    await screenshots(page, 'import')
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose a file' }).click()
    await (await chooser).setFiles({ ...file, buffer: Buffer.from('Dear diary') })
    await expect(dialog.getByRole('alert')).toContainText('not a bookmark file')
    await dropFile(page, file)
    await expect(dialog).toContainText('New1')
    await expect(dialog).toContainText('Already there1')
    await expect(dialog.getByRole('list')).toContainText('line 5: javascript')
    await expect(dialog).toContainText('Not kept, for a bookmark has no room for it: keywords (2).')
    await expectAccessible(page)
    await screenshots(page, 'import-preview')
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save this list' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('bookmarks.html-rejected.txt')
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^line 5: javascript.*\n$/)
    await dialog.getByRole('button', { name: 'Import 1 bookmark' }).click()
    await expect(dialog.getByRole('status')).toHaveText('1 bookmark imported.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Undo the import' }).click()
    await expect(dialog).toContainText('1 bookmark moved to the trash.')
    await dialog.getByRole('button', { name: 'Another file' }).click()
    await dropFile(page, file)
    await dialog.getByRole('button', { name: 'Import 1 bookmark' }).click()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(row(page, 'Kept 0')).toBeVisible()
  })

  test('an import that is cancelled says what came in, and that can be undone', async ({ page, service }) => {
    await service.open(page)
    await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
    const lines = Array.from({ length: 30_000 }, (_, index) => `https://site${index % 997}.example/page-${index}\n`)
    await dropFile(page, { name: 'urls.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('')) })
    const dialog = page.getByRole('dialog', { name: 'Import bookmarks' })
    await dialog.getByRole('button', { name: 'Import 30,000 bookmarks' }).click({ timeout: 30_000 })
    await expect(dialog.getByText(/[1-9][\d,]* imported so far/)).toBeVisible()
    await screenshots(page, 'import-running')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const came = dialog.getByRole('status')
    await expect(came).toContainText('came in before that and stay')
    const count = Number((await came.textContent())?.match(/([\d,]+) bookmark/)?.[1]?.replaceAll(',', ''))
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(30_000)
    await screenshots(page, 'import-cancelled')
    await dialog.getByRole('button', { name: 'Undo the import' }).click()
    await expect(dialog).toContainText(`${count.toLocaleString('en')} bookmarks moved to the trash.`, {
      timeout: 30_000
    })
  })
})

test('a search is exported as a file that holds it and nothing else', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.goto(`${service.url}/?domain=b.example`)
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await page.getByRole('button', { name: 'Export these bookmarks' }).click()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^earmark-[\d-]+\.csv$/)
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('https://b.example/')
})

test('settings export everything, undo past imports, and make and restore backups', async ({ page, service }) => {
  await service.open(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  const transfer = page.getByRole('region', { name: 'Import and export' })
  await transfer.getByRole('radio', { name: 'For browsers' }).check()
  const download = page.waitForEvent('download')
  await transfer.getByRole('button', { name: 'Export', exact: true }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('https://c.example/')

  const backups = page.getByRole('region', { name: 'Backups' })
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(backups.getByRole('listitem')).toHaveCount(1)
  await expect(backups.getByRole('listitem')).toContainText('Made by you')
  await transfer.getByRole('button', { name: /^Undo the import of 3 bookmarks/ }).click()
  await expect(page.getByText('3 bookmarks moved to the trash.')).toBeVisible()
  await expect(transfer.getByRole('list')).toContainText('Undone')
  await expectAccessible(page)
  await screenshots(page, 'settings-backups')

  await backups.getByRole('button', { name: 'Restore the backup of' }).click()
  const question = page.getByRole('dialog', { name: 'Restore the backup of' })
  await expect(question).toContainText('will not be in it')
  await expect(question).toContainText('is kept in a folder')
  await expectAccessible(page)
  await screenshots(page, 'restore')
  await question.getByRole('button', { name: 'Restore this backup' }).click()
  await expect(page.getByText('Restored: 3 bookmarks.')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'All 3' }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
})

test('damage that was found in the library is told on every page', async ({ page, service }) => {
  await page.route('**/api/status', async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, damaged: true } })
  })
  await service.open(page)
  await expect(page.getByRole('alert')).toContainText('The library file is damaged')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('region', { name: 'Backups' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('restore a backup under Settings')
})
