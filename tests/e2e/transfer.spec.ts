import { readFileSync } from 'node:fs'
import { expect, look, test } from '../support/playwright.ts'

test.use({ pages: [] })

test('an import shows a preview, saves the list of rejects, and is undone', { tag: '@smoke' }, async ({
  page,
  service
}) => {
  await service.open(page)
  await page.getByRole('button', { name: 'Import a file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import bookmarks' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  const buffer = Buffer.from('https://kept.example/\njavascript:alert(1)\n')
  await (await chooser).setFiles({ name: 'urls.txt', mimeType: 'text/plain', buffer })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save this list' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('urls.txt-rejected.txt')
  expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^line 2: javascript.*\n$/)
  await look(page, 'import-preview')
  await dialog.getByRole('button', { name: 'Import 1 bookmark' }).click()
  await expect(dialog.getByRole('status')).toHaveText('1 bookmark imported.')
  await expect(page.locator('[role="grid"] [role="row"]')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await expect(dialog).toContainText('1 bookmark moved to the trash.')
})
