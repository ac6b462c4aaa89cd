import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, type RunningService, screenshots, test } from '../support/playwright.ts'
import { runs } from '../support/runs.ts'

/** Every page and what is looked at before it counts as there. */
const PAGES = [
  ['/', 'bookmarks'],
  ['/images', 'images'],
  ['/colors', 'colors'],
  // These are lists as the first is.
  ...runs(
    [] as const,
    [
      ['/links', 'links'],
      ['/texts', 'texts']
    ] as const
  ),
  ['/tags', 'tags'],
  ['/organizations', 'organizations'],
  ['/trash', 'trash-page'],
  ['/profile/api-keys', 'api-keys'],
  ['/settings', 'settings'],
  ['/duplicates', 'duplicates'],
  ['/?q=sql&tag=sqlite', 'search'],
  ['/?q=zzz', 'nothing']
] as const

/** Bookmarks of each type, as people keep them. */
const KEPT = [
  { type: 'link', url: 'https://sqlite.example/fts5', title: 'Full-text search in SQLite', tags: ['sqlite', 'search'] },
  { type: 'link', url: 'https://rust.example/book', title: 'The borrow checker', visibility: 'public', tags: ['rust'] },
  { type: 'image', url: 'https://images.example/lake.webp', title: 'A lake at dawn', tags: ['wallpaper'] },
  { type: 'color', content: '#4263eb', title: 'Indigo for buttons', tags: ['brand'] },
  { type: 'color', content: 'oklch(85% 0.12 90)', title: 'Sand', tags: [] },
  {
    type: 'text',
    content: 'PRAGMA synchronous = FULL;\nPRAGMA journal_mode = WAL;',
    title: 'Pragmas',
    tags: ['sqlite']
  }
]

test.use({ pages: [] })

/** axe looks at every element; the tests have many pages for it. */
test.describe.configure({ timeout: 600_000 })

async function keep(page: Page): Promise<void> {
  const statuses = await page.evaluate(async (all) => {
    const tab = sessionStorage.getItem('earmark-tab') ?? ''
    const headers = { 'content-type': 'application/json', 'x-earmark-tab': tab }
    const one = (body: object) => fetch('/api/bookmarks', { method: 'POST', headers, body: JSON.stringify(body) })
    const answers = []
    for (const bookmark of all) answers.push((await one(bookmark)).status)
    return answers
  }, KEPT)
  expect(new Set(statuses)).toEqual(new Set([201]))
}

test('axe finds nothing on any page, light and dark', async ({ page, service }) => {
  await service.open(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
  await expectAccessible(page, 'first run')
  await keep(page)
  for (const [path, name] of PAGES) {
    await page.goto(service.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expectAccessible(page, path)
    await screenshots(page, name)
  }
  await page.context().clearCookies()
  await page.goto(service.url)
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
  await expectAccessible(page, 'session ended')
})

/** Opens a library with a bookmark of each type, and gives what looks at the page as it is then. */
async function open(page: Page, service: RunningService) {
  await service.open(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
  await keep(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(KEPT.length)
  return async (name: string) => {
    await expectAccessible(page, name)
    await screenshots(page, name)
  }
}

test('axe finds nothing in the dialogs and the palette, light and dark', async ({ page, service }) => {
  const look = await open(page, service)
  await page.keyboard.press('n')
  await page.getByLabel('What to save').fill('https://sqlite.example/fts5')
  await expect(page.getByText('You have this already')).toBeVisible()
  await look('add')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await look('shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Find a bookmark or a command' })).toBeFocused()
  await page.keyboard.type('se')
  await expect(page.getByRole('dialog').getByRole('option', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('dialog').getByText('Full-text search')).toBeVisible()
  await look('palette')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Filter bookmarks by' })).toBeVisible()
  await look('filter')
})

test('axe finds nothing in the panel of any type, light and dark', async ({ page, service }) => {
  const look = await open(page, service)
  for (const [title, name] of [
    ['Full-text', 'panel-link'],
    ['lake', 'panel-image'],
    ['Indigo', 'panel-color'],
    ['Pragmas', 'panel-text']
  ] as const) {
    await listOf(page)
      .getByRole('row')
      .filter({ hasText: title })
      .click({ position: { x: 200, y: 4 } })
    await expect(page.getByRole('complementary', { name: 'Bookmark' })).toContainText(/Saved /)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(new RegExp(title))
    await look(name)
  }
  await page.getByRole('complementary').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Trash 1' }).click()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await expect(page.getByRole('dialog', { name: 'Empty the trash?' })).toBeVisible()
  await look('confirm')
})

test('axe finds nothing in the grid, menus and toasts, light and dark', async ({ page, service }) => {
  const look = await open(page, service)
  await page.getByRole('radiogroup', { name: 'Layout' }).locator('label').last().click()
  await look('grid')
  await listOf(page).focus()
  await page.keyboard.press('x')
  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click()
  await expect(page.getByRole('dialog', { name: 'Tags of what is selected' }).getByRole('option')).not.toHaveCount(0)
  await look('bulk-tags')
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Open 1 in tabs' })).toBeVisible()
  await look('bulk-more')
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
  await expect(page.getByRole('menuitem', { name: 'Public' })).toBeVisible()
  await look('bulk-move')
  await page.keyboard.press('Escape')
  await listOf(page).focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await look('toast')
  await page.getByRole('radiogroup', { name: 'Layout' }).locator('label').nth(1).click()
  await listOf(page).getByRole('row').first().click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await look('compact-and-row-menu')
})

test('axe finds nothing in the dialogs of tags, light and dark', async ({ page, service }) => {
  const look = await open(page, service)
  await page.getByRole('navigation').getByRole('link', { name: 'Tags' }).click()
  await page.getByRole('button', { name: 'More about sqlite' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByLabel('New name')).toBeVisible()
  await look('tag-rename')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More about sqlite' }).click()
  await page.getByRole('menuitem', { name: 'Merge' }).click()
  await expect(page.getByRole('combobox', { name: 'Into' })).toBeVisible()
  await look('tag-merge')
})
