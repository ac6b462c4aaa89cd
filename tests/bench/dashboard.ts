/**
 * `npm run bench -- dashboard`: 100,000 bookmarks in the built dashboard: how long it takes to load, to answer a key and to
 * open a view, then scrolled beside a blank list of the same height in the same page. Prints the frame times of both and
 * how many elements the list ever had. Needs `npm run build` and
 * Chromium (`CHROMIUM_PATH`).
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../support/tools.ts'
import { createCorpus } from './corpus.ts'
import { measureTimes } from './dashboard-times.ts'
import { checkTargets, type Target } from './targets.ts'

const BOOKMARKS = Number(process.env.BOOKMARKS ?? 100_000)
const ROUNDS = Number(process.env.ROUNDS ?? 6)
const FRAMES = 240
/** A fast flick of the wheel, in pixels a frame. */
const STEP = 160
const MOST_ELEMENTS = 400
const MOST_RATIO = 1.5
const program = join(import.meta.dirname, '../../out/main/earmark.js')

const data = await mkdtemp(join(tmpdir(), 'earmark-bench-'))
await writeBookmarks(join(data, 'bookmarks.html'))
await promisify(execFile)(process.execPath, [program, 'import', join(data, 'bookmarks.html'), '--data', data])
const service = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
const { login } = JSON.parse(line) as { login: string }
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu']
})
const targets: Record<string, Target> = {}
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(login)
  await page.getByRole('grid').waitFor()
  Object.assign(targets, await measureTimes(page))
  for (const layout of ['list', 'grid'] as const) {
    const labels = page.getByRole('radiogroup', { name: 'Layout' }).locator('label')
    await (layout === 'list' ? labels.first() : labels.last()).click()
    Object.assign(targets, await measure(page, layout))
  }
} finally {
  await browser.close()
  service.kill()
  await once(service, 'close')
  await rm(data, { recursive: true, force: true })
}
checkTargets(targets)

interface Scrolled {
  /** Milliseconds between frames. */
  frames: number[]
  /** Most elements in the list in any frame. */
  elements: number
}

/** Scrolls both in turn, so that noise hits them alike. */
async function measure(page: Page, layout: string): Promise<Record<string, Target>> {
  const ours: Scrolled[] = []
  const blank: Scrolled[] = []
  await page.evaluate(addBlankList)
  await scroll(page, '[role=grid]', 0) // warms up
  for (let round = 0; round < ROUNDS; round++) {
    blank.push(await scroll(page, '#blank', round))
    ours.push(await scroll(page, '[role=grid]', round))
  }
  await page.evaluate(() => document.getElementById('blank')?.remove())
  const elements = Math.max(...ours.map((one) => one.elements))
  const [a, b] = [summary(ours), summary(blank)]
  console.log(`\n${BOOKMARKS.toLocaleString('en')} bookmarks as a ${layout}, ${ROUNDS} rounds of ${FRAMES} frames`)
  console.table({ Earmark: shown(a), 'blank list': shown(b) })
  return {
    [`${layout}: frames, p50, times the blank list's`]: { measured: a.p50 / b.p50, most: MOST_RATIO },
    [`${layout}: frames, mean, times the blank list's`]: { measured: a.mean / b.mean, most: MOST_RATIO },
    [`${layout}: elements at once`]: { measured: elements, most: MOST_ELEMENTS }
  }
}

/** A list of nothing over the bookmarks': what the browser itself needs for a frame here. */
function addBlankList(): void {
  const grid = document.querySelector('[role=grid]') as HTMLElement
  const box = grid.getBoundingClientRect()
  const blank = document.createElement('div')
  blank.id = 'blank'
  blank.style.cssText = `position:fixed;z-index:9;overflow-y:auto;contain:strict;background:Canvas;display:none;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`
  const space = document.createElement('div')
  space.style.height = `${grid.scrollHeight}px`
  blank.append(space)
  document.body.append(blank)
}

function scroll(page: Page, selector: string, round: number): Promise<Scrolled> {
  return page.evaluate(
    async ({ selector, from, frames, step }) => {
      const box = document.querySelector(selector) as HTMLElement
      const blank = document.getElementById('blank') as HTMLElement
      blank.style.display = box === blank ? 'block' : 'none'
      box.scrollTop = from
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
      for (let waited = 0; waited < 20; waited++) await frame()
      const times: number[] = []
      let elements = 0
      let before = await frame()
      for (let index = 0; index < frames; index++) {
        box.scrollTop += step
        const now = await frame()
        times.push(now - before)
        before = now
        elements = Math.max(elements, box.querySelectorAll('*').length)
      }
      return { frames: times, elements }
    },
    { selector, from: round * 700_000, frames: FRAMES, step: STEP }
  )
}

function summary(rounds: Scrolled[]) {
  const times = rounds.flatMap((round) => round.frames).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    mean: times.reduce((sum, time) => sum + time, 0) / times.length
  }
}

function shown({ p50, p95, p99, mean }: ReturnType<typeof summary>) {
  return { 'p50 ms': p50.toFixed(1), 'p95 ms': p95.toFixed(1), 'p99 ms': p99.toFixed(1), 'mean ms': mean.toFixed(1) }
}

/** A browser's bookmark file with as many entries. */
async function writeBookmarks(file: string): Promise<void> {
  const corpus = createCorpus(1)
  const out = createWriteStream(file)
  out.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n')
  for (let index = 0; index < BOOKMARKS; index++) {
    const { url, title, description, tags, createdAt } = corpus.next()
    const attributes = `HREF="${url ?? ''}" ADD_DATE="${Math.floor(createdAt / 1000)}" TAGS="${tags.join(',')}"`
    if (!out.write(`<DT><A ${attributes}>${title}</A>\n<DD>${description}\n`)) await once(out, 'drain')
  }
  out.end('</DL><p>\n')
  await once(out, 'close')
}
