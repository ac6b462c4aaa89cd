import type { Page } from '@playwright/test'
import { PAYLOADS } from '../support/payloads.ts'
import { expect, listOf, test } from '../support/playwright.ts'
import { runs } from '../support/runs.ts'

test.use({ pages: [] })

declare global {
  interface Window {
    ran?: string[]
  }
}

/** Bookmarks with the payload in each field: in the short form of one type in turn, in the full form of every type. */
function bookmarksOf(payload: string, index: number): object[] {
  const text = { title: payload, description: payload, tags: [payload.slice(0, 64)] }
  const number = String(index)
  // Addresses contain no white space.
  const path = payload.replace(/[\s\p{Cc}]+/gu, '+')
  const all = [
    { type: 'link', url: `https://p${number}.example/${path}`, ...text },
    { type: 'image', url: `https://p${number}.example/i/${path}`, ...text },
    { type: 'text', content: `${number} ${payload}`, ...text }
  ]
  return [0, 1, 2].slice(0, runs(1, 3)).map((turn) => all[(index + turn) % 3] ?? {})
}

/** Saves the valid bookmarks from within the page, which has the session. */
async function save(page: Page, all: object[]): Promise<number> {
  return page.evaluate(async (bookmarks) => {
    const headers = { 'content-type': 'application/json' }
    const post = (bookmark: object) =>
      fetch('/api/bookmarks', { method: 'POST', headers, body: JSON.stringify(bookmark) })
    let saved = 0
    for (let start = 0; start < bookmarks.length; start += 20) {
      const answers = await Promise.all(bookmarks.slice(start, start + 20).map(post))
      saved += answers.filter(({ ok }) => ok).length
    }
    return saved
  }, all)
}

test('no script in titles, descriptions, tags, texts or addresses of 300 payloads runs', async ({
  page,
  service,
  complaints
}) => {
  test.setTimeout(300_000)
  expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(300)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  await page.setViewportSize({ width: 1280, height: 4000 })
  await service.open(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
  const saved = await save(page, PAYLOADS.flatMap(bookmarksOf))
  expect(saved).toBeGreaterThanOrEqual(PAYLOADS.length * runs(0.8, 2))

  // The first path lists all bookmarks; the others list them by type.
  for (const path of ['/', '/?q=type:link', '/?q=type:image', '/?q=type:text'].slice(0, runs(1, 4))) {
    await page.goto(service.url + path)
    for (const layout of ['first', 'last'] as const) {
      await page.getByRole('radiogroup', { name: 'Layout' }).locator('label')[layout]().click()
      await scrollThrough(page)
    }
  }
  await page.goto(`${service.url}/tags`)
  await expect(page.getByRole('main').getByRole('list', { name: 'Tags' })).toBeVisible()
  for (const payload of PAYLOADS.filter((_, index) => index % runs(100, 30) === 0)) {
    await page.goto(`${service.url}/?${new URLSearchParams({ q: payload.slice(0, 200), tag: payload.slice(0, 64) })}`)
    await expect(page.getByRole('status').filter({ hasText: 'bookmark' })).toBeVisible()
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${service.url}/`)
  for (let index = 0; index < runs(10, 30); index++) {
    await listOf(page).locator(`[data-index="${index}"]`).click()
    await expect(page.getByRole('complementary')).toContainText(/Saved /)
    await listOf(page).focus()
    await page.keyboard.press('ArrowDown')
  }
  expect(dialogs).toEqual([])
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => window.ran ?? [])).toEqual([])
  const hrefs = await page.evaluate(() => [...document.querySelectorAll('a')].map((link) => link.protocol))
  expect(hrefs.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([])
})

/** Shows every row of the list once. */
async function scrollThrough(page: Page): Promise<void> {
  await expect(listOf(page).getByRole('gridcell').first()).toBeVisible()
  const heights = await listOf(page).evaluate((list) => [list.scrollHeight, list.clientHeight] as const)
  for (let top = 0; top < heights[0]; top += heights[1]) {
    await listOf(page).evaluate(async (list, to) => {
      list.scrollTop = to
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, top)
  }
}
