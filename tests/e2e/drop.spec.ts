import type { Page } from '@playwright/test'
import { type Drag, type Dragged, dragOver, dropOn } from '../support/drag.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'

const link = (url: string, html = ''): Dragged => ({
  items: { 'text/uri-list': url, 'text/plain': url, ...(html && { 'text/html': html }) }
})
const picture = (html: string, url = 'https://a.example/page') => link(url, html)
const toast = (page: Page, text: string) => page.locator('.mantine-Notifications-root').getByText(text).first()

/** Every bookmark, newest first. */
function saved(page: Page) {
  return page.evaluate(async () => {
    const headers = { 'x-earmark-tab': sessionStorage.getItem('earmark-tab') ?? '' }
    const { bookmarks } = await (await fetch('/api/bookmarks?limit=200', { headers })).json()
    return (bookmarks as Record<string, string>[]).map(({ type, title, url, content }) => ({
      type,
      title,
      at: url ?? content
    }))
  })
}

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

/** The same, and lets go. */
async function dropSeen(page: Page, dragged: Dragged): Promise<void> {
  const drag = await dragSeen(page, dragged)
  await drag.drop()
}

test('what is dropped on the window is saved at once, as what it is, and can be taken back', async ({
  page,
  service
}) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()

  const drag = await dragSeen(page, link('https://drop.example/one', '<a href="https://drop.example/one">The one</a>'))
  await screenshots(page, 'drop')
  await drag.drop()
  await expect(toast(page, 'Saved.')).toBeVisible()
  await expect(page.getByText('Drop to save')).toBeHidden()
  await expect(listOf(page)).toContainText('The one')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'moved to the trash.')).toBeVisible()
  await expect(listOf(page)).not.toContainText('The one')

  await dropSeen(page, {
    items: { 'text/uri-list': '# two\r\nhttps://two.example/\r\nhttps://a.example/\r\nfile:///etc/x' }
  })
  await expect(toast(page, 'Saved. 1 you had already.')).toBeVisible()
  await dropSeen(page, picture('<img src="https://drop.example/p?a=1&amp;b=2" alt="x">'))
  await expect.poll(() => saved(page)).toHaveLength(5)
  await dropSeen(page, { items: { 'text/plain': 'oklch(70% 0.15 160)' } })
  await expect.poll(() => saved(page)).toHaveLength(6)
  await dropSeen(page, { items: { 'text/plain': 'First line\nsecond', 'text/html': '<p>First line</p><p>second</p>' } })
  await expect.poll(() => saved(page)).toHaveLength(7)
  expect((await saved(page)).slice(0, 4)).toEqual([
    { type: 'text', title: 'First line', at: 'First line\nsecond' },
    { type: 'color', title: expect.any(String), at: 'oklch(70% 0.15 160)' },
    { type: 'image', title: '', at: 'https://drop.example/p?a=1&b=2' },
    { type: 'link', title: '', at: 'https://two.example/' }
  ])

  await dropSeen(page, { items: { 'text/plain': 'https://three.example/\nhttps://four.example/' } })
  await expect(toast(page, '2 bookmarks saved.')).toBeVisible()

  await dropSeen(page, link('https://two.example/#again'))
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('complementary', { name: 'Bookmark' }).getByLabel('Address')).toHaveValue(
    'https://two.example/'
  )
})

test('what cannot be saved is said, and the page stays', async ({ page, service, complaints }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const url = page.url()
  for (const [dragged, said] of [
    [picture('<img src="data:image/png;base64,xx">'), 'This picture has no address.'],
    [picture('<img src="javascript:alert(1)">'), 'This picture has no address.'],
    [picture('<img src="https://a.example/1"><img src="https://a.example/2">'), 'This picture has no address.'],
    [{ items: { 'text/plain': ' \n' } }, 'There is nothing in it'],
    [{ items: { 'text/plain': 'x'.repeat(100_001) } }, '100000']
  ] as const) {
    await dropOn(page, dragged)
    await expect(toast(page, said)).toBeVisible()
    await page.locator('.mantine-Notifications-root').getByRole('button', { name: 'Close' }).first().click()
  }
  await page.route('**/api/bookmarks/captures', (route) => route.abort())
  await dropOn(page, link('https://lost.example/'))
  await expect(toast(page, 'Earmark does not answer.')).toBeVisible()
  expect(page.url()).toBe(url)
  await expect(page.getByRole('status').filter({ hasText: '3 bookmarks' })).toBeVisible()
  complaints.length = 0
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
  expect(await saved(page)).toHaveLength(3)
})
