import { expect, listOf, test } from '../support/playwright.ts'

test.use({
  pages: [
    'https://a.example/guide',
    'http://www.a.example/guide/',
    'https://b.example/',
    'https://b.example/index.html',
    'https://c.example/'
  ]
})

test('pages saved more than once are found from the palette, merged one by one or all, and undone', {
  tag: '@smoke'
}, async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('find dup')
  await page.getByRole('option', { name: 'Find duplicates' }).click()
  await expect(page.getByRole('heading', { name: 'Duplicates', level: 1 })).toBeVisible()
  await expect(page.getByText('2 pages saved more than once')).toBeVisible()

  const guide = page.getByRole('article', { name: /a\.example\/guide/ })
  await expect(guide.getByRole('radio')).toHaveCount(2)
  await expect(guide.getByRole('radio', { name: 'https://a.example/guide' })).toBeChecked()
  await guide.getByRole('radio', { name: 'http://www.a.example/guide/' }).check()
  await guide.getByRole('button', { name: /^Merge/ }).click()
  await expect(guide).toBeHidden()
  await expect(page.getByText('Merged. 1 bookmark is in the trash.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pages saved more than once' })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(guide).toBeVisible()
  await expect(page.getByText('Merge undone. 1 bookmark is back from the trash.')).toBeVisible()

  await page.getByRole('button', { name: 'Merge all 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge all 2' }).click()
  await expect(page.getByText('No page is saved more than once.')).toBeVisible()
  await page.getByRole('link', { name: /^All \d/ }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
})
