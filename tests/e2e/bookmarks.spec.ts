import type { Page } from '@playwright/test'
import { MARKED_MS } from '../../src-renderer/lib/agents.ts'
import { violations } from '../support/accessible.ts'
import { expect, listOf, look, test } from '../support/playwright.ts'

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })
const connected = (page: Page) => page.getByRole('img', { name: 'Connected', exact: true })

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

test('selected bookmarks are opened together, saved as a file and deleted', { tag: '@smoke' }, async ({
  page,
  context,
  service
}) => {
  await context.route('https://*.example/', (route) => route.fulfill({ body: 'a page' }))
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: '1 selected' })
  await bar.getByRole('button', { name: 'More' }).click()
  const open = page.getByRole('menuitem', { name: 'Open 1 in tabs' })
  await expect(open).toBeVisible()
  await look(page, 'bulk-more')
  const opened = context.waitForEvent('page')
  await open.click()
  await expect.poll(async () => (await opened).url()).toBe('https://c.example/')
  expect(await (await opened).evaluate(() => window.opener)).toBeNull()
  await (await opened).close()
  await bar.getByRole('button', { name: 'More' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets (.csv)' }).click()
  const text = (await (await (await saving).createReadStream()).toArray()).join('')
  expect(text).toContain('https://c.example/')
  expect(text).not.toContain('https://b.example/')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})

test('two tabs show what an agent saves and what the other tab changes', async ({ page, context, service }) => {
  await service.open(page)
  const other = await context.newPage()
  await other.goto(service.url)
  for (const tab of [page, other]) {
    await expect(connected(tab)).toBeVisible()
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
  await page.close()
  await service.insert('https://agent.example/second')
  await expect(row(other, 'agent.example/second')).toBeVisible()
})

test('the mark on a bookmark that an agent saved disappears after some seconds', async ({ page, service }) => {
  await service.open(page)
  await expect(connected(page)).toBeVisible()
  await service.insert('https://agent.example/1')
  const mark = listOf(page).getByText(/^by \w/)
  await expect(mark).toBeVisible()
  const duration = await mark.evaluate((element) => {
    const [animation] = element.getAnimations()
    animation?.pause()
    return animation?.effect?.getComputedTiming().endTime
  })
  expect(duration).toBe(MARKED_MS)
  await look(page, 'agent-saved')
  await mark.evaluate((element) => element.getAnimations()[0]?.finish())
  await expect(mark).toBeHidden()
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true })
  await service.insert('https://agent.example/2')
  await expect(listOf(page).getByRole('gridcell').filter({ hasText: 'agent.example/2' })).toContainText(/by \w/)
})

test('tags of similar bookmarks are suggested in capture, and the right arrow adds one', async ({ page, service }) => {
  for (const grain of ['rye', 'wheat']) {
    const bookmark = { type: 'link', url: `https://${grain}.example/sourdough-bread`, tags: ['baking', 'read later'] }
    await service.ask('/bookmarks', bookmark)
  }
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.goto(new URL('/capture', page.url()).href)
  const field = page.getByRole('textbox', { name: 'What to save' })
  const suggested = page.getByRole('group', { name: 'Suggested tags' })
  await field.fill('sourdough bread')
  await field.fill('oats.example/sourdough-bread')
  await expect(suggested.getByRole('button')).toHaveText(['#baking→', '#read later'])
  await expect(field).toHaveValue('oats.example/sourdough-bread')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(field).toHaveValue('oats.example/sourdough-bread #baking ')
  await suggested.getByRole('button', { name: 'Add the tag “read later”' }).click()
  await expect(field).toHaveValue('oats.example/sourdough-bread #baking #"read later" ')
  await expect(field).toBeFocused()
  await expect(suggested).toBeHidden()
})
