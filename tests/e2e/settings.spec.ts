import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, PAGES, type RunningService, screenshots, test } from '../support/playwright.ts'

// axe reads every page four times or more.
test.describe.configure({ timeout: 180_000 })

async function openSettings(page: Page, service: RunningService): Promise<void> {
  await service.open(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
}

function scheme(page: Page): Promise<string | null> {
  return page.locator('html').getAttribute('data-mantine-color-scheme')
}

test('the page says what runs here', async ({ page, service }) => {
  await openSettings(page, service)
  const status = page.getByRole('region', { name: 'Status' })
  await expect(status.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await expect(status).toContainText(service.url)
  await expect(status).toContainText(service.mcp)
  await expect(status).toContainText(new RegExp(`${PAGES.length} bookmarks, \\d+ kB`))
  await expect(status).toContainText('None yet')
  await expect(page.getByRole('region', { name: 'Your data' })).toContainText(service.data)
  await expectAccessible(page)
  await screenshots(page, 'settings')
})

test('the bookmarklet can be dragged and copied, and a click on it here does nothing but say so', async ({
  page,
  service
}) => {
  await openSettings(page, service)
  const section = page.getByRole('region', { name: 'Capture from a browser' })
  const link = section.getByRole('link', { name: 'Save to Earmark' })
  await expect(link).toHaveAttribute('href', /^javascript:.*earmark:/)
  await link.click()
  await expect(page.getByText('Drag this link to your bookmarks bar.', { exact: true })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Copy Bookmarklet' })).toBeVisible()
})

test('problems are looked for without a terminal, on a thread of its own', async ({ page, service }) => {
  await openSettings(page, service)
  const section = page.getByRole('region', { name: 'Health' })
  await section.getByRole('button', { name: 'Look for problems' }).click()
  await expect(section.getByRole('status')).toHaveText('Nothing is wrong.')
  const findings = section.getByRole('listitem')
  await expect(findings).toHaveCount(11)
  await expect(findings.filter({ hasText: 'Search index' })).toContainText('Good')
  await expectAccessible(page)
  await screenshots(page, 'settings-health')
})

test('a file is watched, brings what is new in it, and is let go', async ({ page, service }) => {
  await openSettings(page, service)
  const section = page.getByRole('region', { name: 'Watched files' })
  const path = section.getByRole('textbox', { name: 'Another file, by its whole path' })
  await path.fill('urls.txt')
  await path.press('Enter')
  await expect(section.getByText('Give the whole path of the file.')).toBeVisible()
  const file = join(service.data, 'urls.txt')
  await writeFile(file, 'https://watched.example/1\n')
  await path.fill(file)
  await path.press('Enter')
  const watched = section.getByRole('listitem').filter({ hasText: file })
  await expect(watched).toContainText('1 bookmark since Earmark started')
  await expect(path).toHaveValue('')
  await expectAccessible(page)
  await screenshots(page, 'settings-watched')
  await writeFile(file, 'https://watched.example/1\nhttps://watched.example/2\n')
  await expect(watched).toContainText('2 bookmarks since Earmark started', { timeout: 20_000 })
  await watched.getByRole('button', { name: `Stop watching ${file}` }).click()
  await expect(watched).toHaveCount(0)
})

test('the theme is taken at once, kept, and taken by other tabs', async ({ page, context, service }) => {
  await openSettings(page, service)
  const other = await context.newPage()
  await other.goto(service.url)
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('dark')
  await expect.poll(() => scheme(other)).toBe('dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await scheme(page)).toBe('dark')
  await page.getByText('System', { exact: true }).click()
  await expect.poll(() => scheme(page)).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme(page)).toBe('dark')
})

test('the default visibility is kept, and without fetching there is nothing to choose about it', async ({
  page,
  service
}) => {
  await openSettings(page, service)
  await page.getByRole('radio', { name: 'Public' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  const fetching = page.getByRole('switch', { name: 'Fetch page details' })
  await expect(fetching).toBeDisabled()
  await expect(fetching).not.toBeChecked()
  await expect(fetching).toHaveAccessibleDescription(/--no-fetch/)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Public' })).toBeChecked()
})

test('a port is kept for the next start; one that cannot be is refused in words', async ({ page, service }) => {
  await openSettings(page, service)
  const port = page.getByRole('textbox', { name: 'Port' })
  const save = page.getByRole('region', { name: 'Service' }).getByRole('button', { name: 'Save' })
  await expect(port).toHaveValue('20727')
  await expect(save).toBeDisabled()
  await port.fill('80')
  await save.click()
  await expect(page.getByText('Give a number from 1024 to 65535.')).toBeVisible()
  await expectAccessible(page)
  await port.fill('6000')
  await save.click()
  await expect(page.getByText('Browsers refuse to open this port.')).toBeVisible()
  await port.fill('20800')
  await save.click()
  await expect(page.getByText('Saved. Earmark listens on 20800 from its next start.')).toBeVisible()
  await page.reload()
  await expect(port).toHaveValue('20800')
  await page.getByRole('button', { name: 'Use 20727 again' }).click()
  await expect(port).toHaveValue('20727')
})

test('a browser that is here is connected and disconnected, and of one in a sandbox it is said why not', async ({
  page,
  service
}) => {
  const home = join(service.data, 'home')
  for (const folder of ['.config/chromium', 'snap/firefox']) mkdirSync(join(home, folder), { recursive: true })
  const file = join(home, '.config/chromium/NativeMessagingHosts/app.earmark.host.json')
  await openSettings(page, service)
  const section = page.getByRole('region', { name: 'Browser extension' })
  await expect(section.getByRole('listitem')).toHaveText([
    /^Chromium · Not connected/,
    /^Firefox · A Snap starts no programs/
  ])
  await section.getByRole('button', { name: 'Connect Chromium' }).click()
  await expect(page.getByText('Chromium is connected.')).toBeVisible()
  await expect(section.getByRole('listitem').first()).toContainText('Connected')
  expect(existsSync(file)).toBe(true)
  await expect(section).toContainText(/out\/extension\/chromium/)
  await expectAccessible(page)
  await screenshots(page, 'settings-browsers')
  await section.getByRole('button', { name: 'Disconnect Chromium' }).click()
  await expect(page.getByText('Chromium is not connected any more.')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Connect Chromium' })).toBeVisible()
  expect(existsSync(file)).toBe(false)
})

test('browsers that cannot be listed are said to be, and listed when asked again', async ({ page, service }) => {
  await page.route('**/api/browsers', (route) => route.abort())
  await openSettings(page, service)
  const section = page.getByRole('region', { name: 'Browser extension' })
  await expect(section.getByRole('alert')).toContainText('The browsers could not be listed.')
  await page.unroute('**/api/browsers')
  await section.getByRole('button', { name: 'Try again' }).click()
  await expect(section.getByText('No browser was found')).toBeVisible()
})

test('a change the service does not take is told, and shown as it was', async ({ page, service }) => {
  await openSettings(page, service)
  await page.route('**/api/settings', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback()
  )
  await page.getByRole('radio', { name: 'Public' }).click()
  await expect(page.getByRole('alert')).toContainText('Earmark does not answer')
  await expect(page.getByRole('radio', { name: 'Private' })).toBeChecked()
})

test('settings that cannot be read are told, and read again when asked', async ({ page, service }) => {
  await service.open(page)
  await expect(page.getByRole('navigation')).toBeVisible()
  await page.route('**/api/settings', (route) => route.abort())
  await page.goto(`${service.url}/settings`)
  await expect(page.getByRole('alert')).toContainText('The settings could not be read.')
  await expectAccessible(page)
  await page.unroute('**/api/settings')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
})

test('an index leads to each section, and the address names it', async ({ page, service }) => {
  await openSettings(page, service)
  const index = page.getByRole('navigation', { name: 'Sections' })
  await expect(index.getByRole('link', { name: 'Appearance' })).toHaveAttribute('aria-current', 'location')
  await index.getByRole('link', { name: 'Backups' }).click()
  await expect(page).toHaveURL(/\/settings#backups$/)
  await expect(page.getByRole('heading', { name: 'Backups' })).toBeInViewport()
  await expect(index.getByRole('link', { name: 'Backups' })).toHaveAttribute('aria-current', 'location')
  for (const name of ['Help', 'Status', 'Appearance', 'Help']) {
    await index.getByRole('link', { name }).click()
    await expect(index.locator('[aria-current]')).toHaveText(name)
  }
  await page.goto(`${service.url}/settings#help`)
  await page.reload()
  const help = page.getByRole('region', { name: 'Help' })
  await expect(help).toBeInViewport()
  await expect(help).toContainText(join(service.data, 'earmark.log'))
  await expect(help).toContainText(/This is Earmark \d+\.\d+\.\d+/)
  await expect(help.getByText(service.data, { exact: true })).toBeVisible()
  await help.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('backups are copied to a folder that is typed, a wrong one is told there, and one that went is told', async ({
  page,
  service
}) => {
  await openSettings(page, service)
  const backups = page.getByRole('region', { name: 'Backups' })
  const field = backups.getByRole('textbox', { name: 'Copy each backup to' })
  await field.fill('backups')
  await backups.getByRole('button', { name: 'Save' }).click()
  await expect(backups).toContainText('Give the whole path of a folder.')
  const folder = join(service.data, '..', `copies-${Date.now()}`)
  mkdirSync(folder)
  try {
    await field.fill(folder)
    await backups.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`Each backup is copied to ${folder}.`)).toBeVisible()
    await backups.getByRole('button', { name: 'Back up now' }).click()
    await expect.poll(() => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))).toHaveLength(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
  await page.reload()
  await expect(backups.getByRole('alert')).toContainText('There is no folder')
  await expectAccessible(page)
  await backups.getByRole('button', { name: 'Stop copying' }).click()
  await expect(backups.getByRole('alert')).toHaveCount(0)
})
