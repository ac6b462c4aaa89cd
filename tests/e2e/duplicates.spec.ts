import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, tabHeaders, test } from '../support/playwright.ts'

// axe reads every page several times.
test.describe.configure({ timeout: 120_000 })

test.describe('pages saved more than once', () => {
  test.use({
    pages: [
      'https://a.example/guide',
      'http://www.a.example/guide/',
      'https://b.example/',
      'https://b.example/index.html',
      'https://c.example/'
    ]
  })

  test('are found from the palette, merged one by one or all, and undone', async ({ page, service }) => {
    await service.open(page)
    await expect(listOf(page)).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('find dup')
    await page.getByRole('option', { name: 'Find duplicates' }).click()
    await expect(page.getByRole('heading', { name: 'Duplicates', level: 1 })).toBeVisible()
    await expect(page.getByText('2 pages saved more than once')).toBeVisible()
    await expectAccessible(page)
    await screenshots(page, 'duplicates')

    const guide = page.getByRole('article', { name: /a\.example\/guide/ })
    await expect(guide.getByRole('radio')).toHaveCount(2)
    await expect(guide.getByRole('radio', { name: 'https://a.example/guide' })).toBeChecked()
    await guide.getByRole('radio', { name: 'http://www.a.example/guide/' }).check()
    await guide.getByRole('button', { name: /^Merge/ }).click()
    await expect(guide).toBeHidden()
    await expect(page.getByText('Merged. 1 bookmark is in the trash.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Pages saved more than once' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(guide).toBeVisible()

    await page.getByRole('button', { name: 'Merge these 2' }).click()
    await expect(page.getByText('No page is saved more than once.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^All \d/ }).click()
    await expect(listOf(page).getByRole('row')).toHaveCount(3)
  })
})

test('colors that look alike are shown beside a color, and opened', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  for (const content of ['tomato', '#ff6a4d', 'navy']) {
    const data = { type: 'color', content, title: `My ${content}` }
    const saved = await page.request.post(`${service.url}/api/bookmarks`, {
      headers: await tabHeaders(page, service),
      data
    })
    expect(saved.status()).toBe(201)
  }
  // What arrives while the list is open moves its rows.
  await page.goto(service.url)
  await expect(listOf(page).getByRole('row')).toHaveCount(6)
  const row = listOf(page).getByRole('row').filter({ hasText: 'My tomato' })
  await row.click({ position: { x: 200, y: 4 } })
  const panel = page.getByRole('complementary', { name: 'Bookmark' })
  await expect(panel.getByRole('button', { name: 'Copy tomato' })).toBeVisible()
  const similar = panel.getByRole('region', { name: 'Similar colors' })
  await expect(similar.getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await screenshots(page, 'similar-colors')
  await similar.getByRole('button', { name: 'My #ff6a4d' }).click()
  await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('My #ff6a4d')
  await expect(similar.getByRole('button', { name: 'My tomato' })).toBeVisible()
})
