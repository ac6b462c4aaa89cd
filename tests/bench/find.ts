/**
 * `npm run bench -- find`: quick find in the built capture page over 100,000 bookmarks. Types words letter by letter and
 * prints how long it takes from a key to the list that answers it. Needs Chromium (`CHROMIUM_PATH`).
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../support/tools.ts'
import { bookmarkHtml } from './bookmark-html.ts'
import { checkTargets } from './targets.ts'

const BOOKMARKS = Number(process.env.BOOKMARKS ?? 100_000)
const WORDS = 40
/** From a key to the list, in milliseconds. */
const TARGET = 50
const program = join(import.meta.dirname, '../../out/main/earmark.js')

const data = await mkdtemp(join(tmpdir(), 'earmark-bench-'))
const file = join(data, 'bookmarks.html')
const words = (await bookmarkHtml(file, BOOKMARKS)).filter((word) => /^[a-z]{4,}$/.test(word)).slice(0, WORDS)
await promisify(execFile)(process.execPath, [program, 'import', file, '--data', data], { maxBuffer: 1e8 })
const service = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
const { url, login } = JSON.parse(line) as { url: string; login: string }
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu']
})
try {
  const page = await browser.newPage({ viewport: { width: 520, height: 452 } })
  await page.goto(login)
  await page.getByRole('grid').waitFor()
  await page.goto(`${url}/capture`)
  const blank = await measureBlank(page)
  const opened = await openList(page)
  const times = await measure(page, words)
  const service = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name, duration }) => (name.includes('words=') ? [duration] : []))
  )
  console.log(`\n${BOOKMARKS.toLocaleString('en')} bookmarks, ${words.length} words, ${times.length} keys`)
  console.table({
    'from key to list': summary(times),
    'of these the service': summary(service),
    'a key that asks for nothing': summary(blank)
  })
  console.log(`the newest, when it opens: ${opened.toFixed(1)} ms`)
  checkTargets({ 'from key to list, p50 ms': { measured: share(times, 0.5), most: TARGET } })
} finally {
  await browser.close()
  service.kill()
  await once(service, 'close')
  await rm(data, { recursive: true, force: true })
}

function share(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function summary(times: number[]) {
  const shown = (part: number) => share(times, part).toFixed(1)
  return { 'p50 ms': shown(0.5), 'p95 ms': shown(0.95), 'p99 ms': shown(0.99) }
}

/** What a key costs here by itself: in the field of capture, which asks nobody. */
async function measureBlank(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let key = 0; key < 100; key++) {
    await page.evaluate(timeNextList)
    await page.keyboard.press('a')
    times.push(await nextList(page))
  }
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  return times
}

/** Turns the window into quick find. @returns milliseconds until the newest are listed */
async function openList(page: Page): Promise<number> {
  await page.evaluate(timeNextList)
  await page.keyboard.press('/')
  return nextList(page)
}

/** Types each word letter by letter, each letter when the one before was answered. */
async function measure(page: Page, words: string[]): Promise<number[]> {
  const times: number[] = []
  for (const word of words) {
    for (const letter of word) {
      await page.evaluate(timeNextList)
      await page.keyboard.press(letter)
      times.push(await nextList(page))
    }
    await page.evaluate(timeNextList)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await nextList(page)
  }
  return times
}

interface Timed {
  listed?: Promise<number>
}

/** From the next key that changes the field until the first frame with the list that answers it. */
function timeNextList(): void {
  const frame = () =>
    new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))
  ;(window as Timed).listed = new Promise((resolve) => {
    document.addEventListener(
      'keydown',
      async ({ timeStamp }) => {
        const isListed = () => document.getElementById('found')?.getAttribute('aria-busy') !== 'true'
        let now = await frame()
        while (!isListed()) now = await frame()
        resolve(now - timeStamp)
      },
      { once: true, capture: true }
    )
  })
}

function nextList(page: Page): Promise<number> {
  return page.evaluate(() => (window as Timed).listed ?? Number.NaN)
}
