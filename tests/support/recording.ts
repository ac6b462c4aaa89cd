/** The README's recording: the real dashboard, used by keys, mouse and an agent, as an animated picture. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
// @ts-expect-error It is JavaScript without types, because tests' own programs start with it.
import { buildPrograms } from './build-programs.js'
import { startWebService } from './earmark.ts'
import { page as answerWith, startTestWeb } from './test-web.ts'

const root = join(import.meta.dirname, '../..')
const WINDOW = { width: 1280, height: 740 }
const CAPTION_HEIGHT = 56

const SAVED_BY_HAND = 'https://www.themarginalian.org/2013/02/21/how-to-read-more/'
const SAVED_BY_AGENT = 'https://react.dev/learn/you-might-not-need-an-effect'

/** Titles of the pages that the dashboard fetches while it is recorded. */
const PAGES: Record<string, string> = {
  [SAVED_BY_HAND]: 'How to read more, and remember it',
  [SAVED_BY_AGENT]: 'You Might Not Need an Effect'
}

interface Frame {
  picture: Buffer
  /** How long it is shown, in ms. */
  delay: number
}

/**
 * Draws `docs/images/recording.webp`.
 *
 * @param data a data folder with the sample bookmarks
 */
export async function record(browser: Browser, data: string): Promise<void> {
  await buildPrograms()
  const web = await startTestWeb(findPage, undefined, () => {})
  const service = await startWebService(data, web.wire.port, { afterwards: () => {} })
  try {
    const window = await browser.newPage({ viewport: WINDOW, reducedMotion: 'reduce' })
    await window.goto(service.login)
    await window.getByRole('grid').waitFor()
    await window.waitForLoadState('networkidle')
    await assemble(await takeFrames(window, () => saveAsAgent(service)))
  } finally {
    await service.end('SIGTERM')
    await web.close()
  }
}

/** The web of the recording: every page has its title, those of the samples too. */
function findPage(target: string) {
  const samples = JSON.parse(readFileSync(join(root, 'resources/samples.json'), 'utf8')) as SamplePage[]
  const titles = new Map([...samples.map(({ url, title }) => [url, title] as const), ...Object.entries(PAGES)])
  const title = titles.get(`https://${target}`)
  return title === undefined ? undefined : answerWith(`<title>${title}</title>`)
}

interface SamplePage {
  url?: string
  title: string
}

async function takeFrames(window: Page, agentSaves: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = []
  let caption = ''
  const shoot = async (delay: number) => {
    frames.push({ picture: await withCaption(await window.screenshot(), caption), delay })
  }
  const search = window.getByRole('combobox', { name: 'Search bookmarks' })

  caption = 'All your bookmarks, on your own computer'
  await shoot(1800)

  caption = 'Paste an address to save it'
  await window.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, SAVED_BY_HAND)
  await window.getByText(/^Saved\./).waitFor()
  await shoot(700)
  await window.getByRole('row', { name: PAGES[SAVED_BY_HAND] ?? '' }).waitFor()
  await shoot(2200)

  caption = 'Search as you type: a typo does not matter'
  await window.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await window.getByText(/^Saved\./).waitFor({ state: 'detached' })
  await search.click()
  for (const letter of 'typografy') {
    await window.keyboard.type(letter)
    await window.waitForTimeout(60)
    await shoot(110)
  }
  await window.getByRole('row', { name: 'Practical Typography' }).waitFor()
  await window.waitForTimeout(300)
  await shoot(2200)

  caption = 'Filter by tag'
  await search.fill('')
  await window
    .getByRole('navigation')
    .getByRole('link', { name: /^design/ })
    .first()
    .click()
  await window.getByRole('row', { name: 'Laws of UX' }).waitFor()
  await window.waitForTimeout(300)
  await shoot(2000)

  caption = 'Open one to read, tag and edit it'
  await window.getByRole('grid').focus()
  await window.keyboard.press('j')
  await window.keyboard.press('e')
  await window.getByRole('textbox', { name: 'Title' }).waitFor()
  await window.waitForLoadState('networkidle')
  await window.waitForTimeout(400)
  await shoot(2600)
  await window.keyboard.press('Escape')

  caption = 'What your agent saves arrives at once'
  await window
    .getByRole('navigation')
    .getByRole('link', { name: /^All \d/ })
    .click()
  await window.getByRole('row', { name: PAGES[SAVED_BY_HAND] ?? '' }).waitFor()
  await window.waitForTimeout(300)
  await shoot(1300)
  await agentSaves()
  await window.getByText('saved by Claude Code').first().waitFor()
  await window.waitForTimeout(300)
  await shoot(3600)
  return frames
}

/** Saves a page with tags, as an editor's agent does. */
async function saveAsAgent({ url, key }: { url: string; key: string }): Promise<void> {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.0.0' }
  }
  const args = { urls: SAVED_BY_AGENT, title: PAGES[SAVED_BY_AGENT], tags: ['dev/web', 'to read'] }
  const params = { name: 'bookmarks.insert', arguments: args, _meta }
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': 'bookmarks.insert'
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const response = await fetch(`${url}/api/tools/mcp`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The agent could not save: ${await response.text()}`)
}

/** Adds a line below the window that says what happens. */
async function withCaption(picture: Buffer, caption: string): Promise<Buffer> {
  const line = `<svg width="${WINDOW.width}" height="${CAPTION_HEIGHT}" xmlns="http://www.w3.org/2000/svg">
    <rect width="100%" height="100%" fill="#1f243a"/>
    <text x="50%" y="50%" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="24" fill="#fff">${caption}</text>
  </svg>`
  return sharp(picture)
    .extend({ bottom: CAPTION_HEIGHT, background: '#1f243a' })
    .composite([{ input: Buffer.from(line), gravity: 'south' }])
    .png()
    .toBuffer()
}

/** Joins the frames to one animated picture, which repeats. */
async function assemble(frames: Frame[]): Promise<void> {
  const { size } = await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } }
  )
    .webp({ delay: frames.map(({ delay }) => delay), loop: 0, quality: 70, effort: 6, minSize: true })
    .toFile(join(root, 'docs/images/recording.webp'))
  const seconds = frames.reduce((sum, { delay }) => sum + delay, 0) / 1000
  console.log(`docs/images/recording.webp: ${seconds} s, ${frames.length} frames, ${Math.round(size / 1000)} kB`)
}
