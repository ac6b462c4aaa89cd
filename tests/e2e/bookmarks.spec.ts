import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

/** Saves a link with a tag, through the dialog as a person would. */
async function add(page: Page, url: string, tag: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a bookmark' })
  await dialog.getByLabel('What to save').fill(url)
  await dialog.getByRole('combobox', { name: 'Tags' }).fill(tag)
  await dialog.getByRole('combobox', { name: 'Tags' }).press('Enter')
  await dialog.getByRole('button', { name: 'Save' }).click()
}

test('pasting anywhere but in a field saves an address, and offers to save anything else as what it is', async ({
  page,
  context,
  service
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('Control+v')
  }
  await paste('https://pasted.example/')
  await expect(listOf(page).getByRole('row').filter({ hasText: 'pasted.example' })).toHaveCount(1)
  await paste('oklch(70% 0.15 160)')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('What to save')).toHaveValue('oklch(70% 0.15 160)')
  await expect(dialog.getByRole('radio', { name: 'Color' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a search is asked for at once: within 70 ms of the key, not of the pause after it', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  const field = page.getByRole('searchbox', { name: 'Search bookmarks' })
  const waits: number[] = []
  for (const words of ['a.e', 'b.e', 'c.e', 'a.ex', 'b.ex']) {
    await page.evaluate(() => {
      const { fetch } = window
      const asked = (typed: number) => (input: RequestInfo | URL, init?: RequestInit) => {
        if (String(input).includes('words=')) Object.assign(window, { waited: performance.now() - typed })
        return fetch(input, init)
      }
      Object.assign(window, { waited: undefined, asked: fetch })
      document.addEventListener('input', () => Object.assign(window, { fetch: asked(performance.now()) }), {
        once: true
      })
    })
    await field.fill(words)
    await page.waitForFunction(() => 'waited' in window && window.waited !== undefined)
    waits.push(await page.evaluate(() => Number((window as unknown as { waited: number }).waited)))
    await page.evaluate(() => Object.assign(window, { fetch: (window as unknown as { asked: typeof fetch }).asked }))
  }
  expect(Math.min(...waits), waits.join(', ')).toBeLessThan(70)
})

test('what an agent saves appears by itself, and two tabs stay in step', async ({ page, context, service }) => {
  await service.open(page)
  const other = await context.newPage()
  await other.goto(service.url)
  for (const tab of [page, other]) {
    await expect(tab.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
    await expect(listOf(tab).getByRole('row')).toHaveCount(3)
  }
  await service.insert('https://agent.example/found')
  for (const tab of [page, other]) await expect(row(tab, 'agent.example')).toBeVisible()
  await row(page, 'agent.example').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Named in one tab')
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  await expect(row(other, 'Named in one tab')).toBeVisible()
  await row(other, 'Named in one tab').click()
  await listOf(other).press('Delete')
  await expect(row(page, 'Named in one tab')).toHaveCount(0)
  await page.close() // it may be the one that listened for both
  await service.insert('https://agent.example/second')
  await expect(row(other, 'agent.example/second')).toBeVisible()
})

test.describe('a long list', () => {
  test.use({ pages: Array.from({ length: 450 }, (_, index) => `https://page-${index}.example/`) })

  test('shows what is new quietly where one has scrolled away', async ({ page, service }) => {
    await service.open(page)
    await expect(page.getByRole('main').getByText('450 bookmarks')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
    await listOf(page).focus()
    await page.keyboard.press('End')
    await expect(listOf(page).locator('[data-index="449"]')).toBeVisible()
    await service.insert('https://agent.example/new')
    const pill = page.getByRole('button', { name: '1 new: show' })
    await expect(pill).toBeVisible()
    await expect(listOf(page).locator('[data-index="449"]')).toBeVisible()
    await pill.click()
    await expect(row(page, 'agent.example')).toBeVisible()
    await expect(pill).toHaveCount(0)
  })
})

test('a bookmark is saved, found, edited and deleted by keyboard alone', { tag: '@smoke' }, async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('What to save')).toBeFocused()
  await page.keyboard.type('https://keys.example/first')
  await page.keyboard.press('Enter')
  await expect(row(page, 'keys.example')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type('keys')
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(listOf(page)).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('By keys')
  await page.keyboard.press('Control+Enter')
  await expect(row(page, 'By keys')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(listOf(page)).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Nothing matches', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(row(page, 'By keys')).toBeVisible()
})

test('the palette stays where it is, whatever it finds and chooses', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  const chosen = palette.getByRole('option', { selected: true })
  await page.keyboard.type('b.exa')
  await expect(chosen).toContainText('https://b.example/')
  const box = await palette.boundingBox()
  await page.keyboard.press('ArrowUp')
  await expect(chosen).toContainText('Search all for “b.exa”')
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toContainText('https://b.example/')
  expect(await palette.boundingBox()).toEqual(box)
})

test('tags are renamed, merged and deleted, and each is undone', { tag: '@smoke' }, async ({ page, service }) => {
  await service.open(page)
  await add(page, 'https://t.example/1', 'red')
  await add(page, 'https://t.example/2', 'crimson')
  await expect(row(page, 'crimson')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Tags 2' }).click()
  const tag = (name: string) =>
    page.getByRole('main').getByRole('list', { name: 'Tags' }).getByRole('listitem').filter({ hasText: name })
  await expect(tag('red')).toContainText('1 bookmark')
  await tag('red').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('New name').fill('scarlet')
  await page.getByLabel('New name').press('Enter')
  await expect(tag('scarlet')).toBeVisible()
  await toast(page, 'Renamed to').getByRole('button', { name: 'Undo' }).click()
  await expect(tag('scarlet')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select red' }).check()
  await page.getByRole('checkbox', { name: 'Select crimson' }).check()
  await page.getByRole('button', { name: 'Merge into …' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Into' }).fill('red')
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(tag('red')).toContainText('2 bookmarks')
  await expect(tag('crimson')).toHaveCount(0)
  await toast(page, 'Merged into').getByRole('button', { name: 'Undo' }).click()
  await expect(tag('crimson')).toBeVisible()
  await tag('crimson').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(tag('crimson')).toHaveCount(0)
  await toast(page, '“crimson” removed').getByRole('button', { name: 'Undo' }).click()
  await expect(tag('crimson')).toBeVisible()
  await tag('crimson').getByRole('link').click()
  await expect(listOf(page).getByRole('row')).toHaveCount(1)
})
