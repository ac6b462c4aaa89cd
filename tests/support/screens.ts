/**
 * `npm run screens [-- recording | FOLDER]`: draws the README's pictures into docs/images, or its recording; with a folder,
 * every screen of the dashboard at three widths in light and dark, to compare before and after a change. Needs the built app (`npm run build`) and
 * Chromium (`CHROMIUM_PATH`).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { makeKey, runCommand, startEarmark, withoutKeychain } from './earmark.ts'
import { record } from './recording.ts'
import { chromiumPath } from './tools.ts'

const root = join(import.meta.dirname, '../..')
const WIDTHS = { 400: 800, 1280: 800, 2560: 1300 }
const SCHEMES = ['light', 'dark'] as const

/** Every screen: its name, its address, and what is done there before it is drawn. */
const SCREENS: Record<string, { path: string; reach?: (page: Page) => Promise<unknown> }> = {
  home: { path: '/' },
  panel: { path: '/', reach: openPanel },
  search: { path: '/?q=bread+OR+watch' },
  empty: { path: '/?q=zzzzzz' },
  grid: { path: '/', reach: (page) => chooseLayout(page, 'Grid') },
  compact: { path: '/', reach: (page) => chooseLayout(page, 'Compact list') },
  selected: { path: '/', reach: selectThree },
  add: { path: '/', reach: (page) => press(page, 'n') },
  palette: { path: '/', reach: (page) => press(page, 'Control+k') },
  shortcuts: { path: '/', reach: (page) => press(page, '?') },
  tags: { path: '/tags' },
  keys: { path: '/profile/api-keys' },
  organizations: { path: '/organizations' },
  duplicates: { path: '/duplicates' },
  highlights: { path: '/highlights' },
  trash: { path: '/trash' },
  settings: { path: '/settings' }
}

const [folder] = process.argv.slice(2)
const data = mkdtempSync(join(tmpdir(), 'earmark-screens-'))
try {
  await saveSamples()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
  if (folder === 'recording') await record(browser, data)
  else {
    const service = await startEarmark(data, [], { env: withoutKeychain, afterwards: () => {} })
    await (folder === undefined ? drawReadme(browser, service.login) : drawAll(browser, service.login, folder))
    await service.end('SIGTERM')
  }
  await browser.close()
} finally {
  rmSync(data, { recursive: true, force: true })
}

/** Imports the sample bookmarks, one for each of the last days and hours, and makes two keys. */
async function saveSamples(): Promise<void> {
  const samples = JSON.parse(readFileSync(join(root, 'resources/samples.json'), 'utf8')) as Record<string, unknown>[]
  const columns = [
    'type',
    'visibility',
    'organization',
    'url',
    'title',
    'description',
    'content',
    'tags',
    'created',
    'updated'
  ]
  const now = Date.now()
  const rows = samples.map((sample, index) => {
    const created = new Date(now - (index < 6 ? index * 2_400_000 : (index - 4) * 61_000_000)).toISOString()
    const values = {
      visibility: 'private',
      organization: '',
      ...sample,
      tags: (sample.tags as string[]).join(','),
      created
    }
    return columns.map((column) => `"${String(values[column as never] ?? '').replaceAll('"', '""')}"`).join(',')
  })
  const file = join(data, 'samples.csv')
  writeFileSync(file, [columns.join(','), ...rows].join('\n'))
  const { code, stdout, stderr } = await runCommand(['import', file, '--data', data], withoutKeychain)
  if (code !== 0) throw new Error(`The samples were not imported: ${stdout}${stderr}`)
  await makeKey(data)
}

async function drawReadme(browser: Browser, login: string): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce'
  })
  await page.goto(login)
  await openPanel(page)
  await page.getByRole('region', { name: 'Related' }).waitFor()
  await page.getByRole('grid').focus()
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(root, `docs/images/dashboard-${colorScheme}.png`) })
  }
}

async function drawAll(browser: Browser, login: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.goto(login)
  // The link leads on to the address of the dashboard.
  await page.getByRole('grid').waitFor()
  const { origin } = new URL(page.url())
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height })
    for (const [name, { path, reach }] of Object.entries(SCREENS)) {
      await page.evaluate(() => localStorage.clear())
      await page.goto(`${origin}${path}`)
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
      await reach?.(page)
      await page.waitForTimeout(250)
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`) })
      }
    }
  }
}

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('grid').focus()
  await press(page, 'j')
  await press(page, 'e')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
}

async function chooseLayout(page: Page, name: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText(name).click({ force: true })
}

async function selectThree(page: Page): Promise<void> {
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await press(page, key)
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
}
