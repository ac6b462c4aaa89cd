import type { Page } from '@playwright/test'
import type { DashboardBridge } from '../../src-main/contract/desktop.ts'
import { expect, forgetOpened, test } from '../support/desktop-test.ts'
import type { Desktop } from '../support/electron/desktop.ts'
import { screenshots } from '../support/playwright.ts'
import { clickTray, expectCapture, expectNoViolations, captureField as field, windowsOf } from './desktop-app.ts'

/** The tests share one app and its library. */
test.describe.configure({ mode: 'serial', timeout: 60_000 })
test.use({ trace: 'off' })

const FIELD = { width: 520, height: 192 }
const LIST = { width: 520, height: 452 }

const finder = (page: Page) => page.getByRole('combobox', { name: 'Find a bookmark' })
const offered = (page: Page) => page.getByRole('listbox', { name: 'Tags you use' }).getByRole('option')
const results = (page: Page) => page.getByRole('listbox', { name: 'Bookmarks found' }).getByRole('option')

/** Opens quick capture on an empty clipboard. */
async function capture(desktop: Desktop): Promise<Page> {
  await desktop.run(({ clipboard }) => clipboard.clear())
  const page = await desktop.page('/capture')
  await clickTray(desktop, 'capture')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')
  return page
}

const expectHeight = (desktop: Desktop, { height }: { height: number }) =>
  expect.poll(async () => (await windowsOf(desktop)).capture?.height).toBe(height)

/** Calls the API from the dashboard. */
async function api(desktop: Desktop, path: string, json?: object) {
  const dashboard = await desktop.page('/')
  return dashboard.evaluate(
    async ({ path, json }) => {
      const headers = { 'content-type': 'application/json' }
      const body = json === undefined ? null : JSON.stringify(json)
      return (await fetch(`/api${path}`, { method: json ? 'POST' : 'GET', headers, body })).json()
    },
    { path, json }
  )
}

const LIBRARY = [
  { type: 'link', url: 'https://find.example/gyroscope', title: 'Gyroscope basics', tags: ['read later', 'hardware'] },
  { type: 'link', url: 'https://find.example/soup', title: 'Soup for twelve', tags: ['recipes'] },
  { type: 'link', url: 'https://find.example/reports', title: 'Reports of the year', tags: ['work/reports'] },
  { type: 'color', content: '#336699', title: 'Lake', tags: ['brand'] },
  { type: 'text', content: 'A thought about gyroscopes', tags: ['hardware'] }
]

test('# offers existing tags: Tab takes the first, arrows and Enter another, and Enter then saves', async ({
  desktop
}) => {
  for (const bookmark of LIBRARY) await api(desktop, '/bookmarks', bookmark)
  const page = await capture(desktop)
  await page.keyboard.type('https://new.example/ #')
  await expect(offered(page)).toHaveCount(4)
  await page.keyboard.type('re')
  await expect(offered(page)).toHaveText([/^#read later/, /^#recipes/, /^#work\/reports/, /^#hardware/])
  await expect(offered(page).first()).toHaveAttribute('aria-selected', 'true')
  await screenshots(page, 'capture-completing', FIELD)
  await expectNoViolations(page)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('https://new.example/ #"read later" ')
  await page.keyboard.type('#re')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('https://new.example/ #"read later" #work/reports ')
  await page.keyboard.type('#har')
  await expect(offered(page)).toHaveText([/^#hardware/])
  await page.keyboard.press('Escape')
  await expect(offered(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expectCapture(desktop, false)
  const { bookmarks } = await api(desktop, '/bookmarks?words=site:new.example')
  expect(bookmarks).toMatchObject([{ tags: ['har', 'read later', 'work/reports'] }])
})

test('a page that is already saved gets the typed tags, and Undo removes them', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('https://find.example/soup #recipes #dinner')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added #dinner.')).toBeVisible()
  await screenshots(page, 'capture-added', FIELD)
  const tags = async () => (await api(desktop, '/bookmarks?words=site:find.example+soup')).bookmarks[0].tags
  expect(await tags()).toEqual(['dinner', 'recipes'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Added #dinner.')).toHaveCount(0)
  await expect(page.getByText('Already saved on')).toBeVisible()
  expect(await tags()).toEqual(['recipes'])
  await field(page).focus()
  await page.keyboard.press('Enter')
  await expectCapture(desktop, false)
})

test('/ starts quick find, arrows choose a result, and Enter opens the page', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('/')
  await expect(finder(page)).toBeFocused()
  await expectHeight(desktop, LIST)
  await expect(results(page)).toHaveCount(6)
  await expect(results(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.type('gyro')
  await expect(results(page)).toHaveCount(2)
  await screenshots(page, 'capture-finding', LIST)
  await expectNoViolations(page)
  await forgetOpened(desktop)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(results(page).first()).toContainText('Gyroscope basics')
  await page.keyboard.press('Enter')
  await expectCapture(desktop, false)
  expect(await desktop.recorded(({ opened }) => opened)).toEqual(['https://find.example/gyroscope'])
})

test('in quick find, Ctrl-C copies, Ctrl-Enter opens in Earmark, and Backspace leaves', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('/soup')
  await expect(results(page)).toHaveText([/Soup for twelve/])
  await page.keyboard.press('Control+c')
  await expect(page.getByText('Copied https://find.example/soup')).toBeVisible()
  expect(await desktop.run(({ clipboard }) => clipboard.readText())).toBe('https://find.example/soup')
  await page.keyboard.press('Control+Enter')
  await expectCapture(desktop, false)
  const dashboard = await desktop.page('/')
  await expect(dashboard.getByRole('textbox', { name: 'Address' })).toHaveValue('https://find.example/soup')

  await capture(desktop)
  await page.keyboard.type('/lake')
  await expect(results(page)).toHaveText([/Lake/])
  await page.keyboard.press('Enter')
  await expectCapture(desktop, false)
  await expect(dashboard.getByRole('textbox', { name: 'Title' })).toHaveValue('Lake')

  await capture(desktop)
  await page.keyboard.type('/zzzz')
  await expect(page.getByText('Nothing matches.').first()).toBeVisible()
  for (let times = 0; times < 5; times++) await page.keyboard.press('Backspace')
  await expect(field(page)).toBeFocused()
  await expectHeight(desktop, FIELD)
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})

test('text typed before the window is shown stays', async ({ desktop }) => {
  const page = await desktop.page('/capture')
  await page.bringToFront()
  await field(page).focus()
  await page.keyboard.type('/lake')
  await expect(finder(page)).toHaveValue('lake')
  await clickTray(desktop, 'capture')
  await expectCapture(desktop, true)
  await expect(results(page)).toHaveText([/Lake/])
  await expect(finder(page)).toHaveValue('lake')
  // In an open window the command returns to saving.
  await clickTray(desktop, 'capture')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})

test('a shortcut and Ctrl-K open quick find, and keep the text to be saved', async ({ desktop }) => {
  const dashboard = await desktop.page('/')
  await dashboard.evaluate(() =>
    (globalThis as { earmarkDesktop?: DashboardBridge }).earmarkDesktop?.changeSettings({ findShortcut: 'Super+F' })
  )
  const page = await capture(desktop)
  await page.keyboard.type('half a thought')
  await page.keyboard.press('Control+k')
  await expect(finder(page)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(field(page)).toHaveValue('half a thought')
  await desktop.recorded(({ shortcuts }) => shortcuts.get('Super+F')?.())
  await expect(finder(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('half a thought')
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})

test('text to be saved is there again after a result was opened from quick find', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('half a thought')
  await page.keyboard.press('Control+k')
  await expect(results(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+Enter')
  await expectCapture(desktop, false)
  await clickTray(desktop, 'capture')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('half a thought')
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})

test('a list of tags that is pasted after # becomes tags', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('https://find.example/list #')
  await field(page).evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'brand, orange, to read')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(field(page)).toHaveValue('https://find.example/list #brand #orange #"to read" ')
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})

test('a link fills in the fields, and saves nothing before Enter', async ({ desktop }) => {
  const page = await desktop.page('/capture')
  const query = new URLSearchParams({
    url: 'https://linked.example/a?b=1',
    title: 'A linked page',
    text: 'What was selected',
    tags: 'one,read later'
  })
  expect(await desktop.again(`earmark://capture?${query}`)).toBe(0)
  await expect(field(page)).toHaveValue('https://linked.example/a?b=1 #one #"read later" ')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('A linked page')
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('What was selected')
  await screenshots(page, 'capture-filled', { width: 520, height: 290 })
  await expectNoViolations(page)
  const saved = async () => (await api(desktop, '/bookmarks?words=site:linked.example')).bookmarks
  expect(await saved()).toEqual([])
  await page.getByRole('textbox', { name: 'Title' }).fill('A better title')
  await page.keyboard.press('Enter')
  await expectCapture(desktop, false)
  expect(await saved()).toMatchObject([
    { title: 'A better title', description: 'What was selected', tags: ['one', 'read later'] }
  ])
})

test('quick find and Undo report that the service does not answer', async ({ desktop }) => {
  const page = await capture(desktop)
  await page.keyboard.type('https://find.example/soup #supper')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added #supper.')).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('alert')).toContainText('Earmark does not answer')
  await field(page).press('Escape')
  await expectCapture(desktop, false)

  await capture(desktop)
  await page.keyboard.type('/soup')
  await expect(page.getByRole('alert')).toContainText('Earmark does not answer')
  await page.unroute('**/api/**')
  await page.keyboard.type('s')
  await page.keyboard.press('Backspace')
  await expect(results(page)).toHaveText([/Soup for twelve/])
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expectCapture(desktop, false)
})
