/**
 * `npm run bench -- dashboard [-- --rows N] [--rounds R] [--check]`: a large library in the built dashboard: how long it takes to
 * load, to answer a key and to open a view; then frame times while scrolling, beside a blank list of the same height in the
 * same page, and the number of elements in the list. Needs Chromium (`CHROMIUM_PATH`).
 */
import { chromium } from '@playwright/test'
import { startEarmark, withoutKeychain } from '../support/earmark.ts'
import { buildLibrary } from '../support/library.ts'
import { chromiumPath } from '../support/tools.ts'
import { checkTargets, distribution, median, printTable, readNumbers, type Target, tempFolder } from './harness.ts'

const { rows, rounds } = readNumbers({ rows: 100_000, rounds: 6 })
const LOADS = 9
const KEYS = ['j', 'j', 'k', 'x', 'x', 'j', 'k', 'k']
/** The effects of a key or a click are there within this time. Related bookmarks come later on purpose. */
const QUIET_MS = 220
const VIEWS = ['Tags', 'Settings', 'API Keys', 'Trash']
const FRAMES = 240
/** A fast flick of the wheel. */
const PIXELS_PER_FRAME = 160
const MAX_ELEMENTS = 400
const MAX_RATIO = 1.5

declare global {
  interface Window {
    /** When the rows of the list were there, in ms since the navigation. */
    rowsAt?: number
    /** When the last event came, and when the page last changed after it. */
    lastChange?: { began: number; shown: number }
  }
}

const data = tempFolder()
buildLibrary(data, rows)
const service = await startEarmark(data, [], { env: withoutKeychain, afterwards: () => {} })
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
await page.goto(service.login)
await page.getByRole('grid').waitFor()
const targets = { ...(await measureLoads()), ...(await measureOpenings()), ...(await measureKeys()) }
const labels = page.getByRole('radiogroup', { name: 'Layout' }).locator('label')
await labels.first().click()
Object.assign(targets, await measureScrolling('list'))
await labels.last().click()
Object.assign(targets, await measureScrolling('grid'))
await browser.close()
await service.end('SIGTERM')
checkTargets(targets)

/** Loads the page again, with its files in the browser's cache. */
async function measureLoads(): Promise<Record<string, Target>> {
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelectorAll('[role=row] [role=gridcell]').length > 3) window.rowsAt = performance.now()
      else requestAnimationFrame(look)
    }
    look()
  })
  const loads: { paint: number; rows: number }[] = []
  for (let load = 0; load < LOADS; load++) {
    await page.waitForTimeout(1000)
    await page.reload()
    await page.waitForFunction(() => window.rowsAt && performance.getEntriesByType('paint').length > 0)
    loads.push(
      await page.evaluate(() => ({
        paint: performance.getEntriesByType('paint')[0]?.startTime ?? Number.NaN,
        rows: window.rowsAt ?? Number.NaN
      }))
    )
  }
  return {
    'first paint, ms': { measured: median(loads.map(({ paint }) => paint)), most: 200 },
    'rows in the list, ms': { measured: median(loads.map(({ rows }) => rows)), most: 600 }
  }
}

/** Opens each view from the sidebar for the first time since the page was loaded. */
async function measureOpenings(): Promise<Record<string, Target>> {
  await page.waitForTimeout(2000)
  const targets: Record<string, Target> = {}
  for (const view of VIEWS) {
    const name = new RegExp(`^(All )?${view}`, 'i')
    const link = page.getByRole('navigation').getByRole('link', { name }).first()
    targets[`first opening of ${view}, ms`] = { measured: await timeChange('click', () => link.click()), most: 100 }
  }
  return targets
}

/** Presses keys in the list, with the panel closed and then open. */
async function measureKeys(): Promise<Record<string, Target>> {
  const pressAll = async () => {
    const times: number[] = []
    for (const key of KEYS) {
      times.push(await timeChange('keydown', () => page.keyboard.press(key)))
      await page.waitForTimeout(400)
    }
    return median(times)
  }
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('grid').waitFor()
  await page.waitForTimeout(2000)
  await page.keyboard.press('j')
  const closed = await pressAll()
  await page.getByRole('gridcell').nth(2).click()
  await page.getByRole('complementary', { name: 'Bookmark' }).waitFor()
  return {
    'key to the last change, p50, ms': { measured: closed, most: 60 },
    'the same with the panel open, ms': { measured: await pressAll(), most: 60 }
  }
}

/** Changes the page. Returns the time from the event that began it to the frame with the last change, in ms. */
async function timeChange(type: 'keydown' | 'click', change: () => Promise<void>): Promise<number> {
  await page.evaluate((type) => {
    addEventListener(
      type,
      ({ timeStamp }) => {
        window.lastChange = { began: timeStamp, shown: timeStamp }
        const shown = () => Object.assign(window.lastChange ?? {}, { shown: performance.now() })
        // React sets the name and the type of a field again with each render.
        const isChange = ({ attributeName, oldValue, target }: MutationRecord) =>
          !attributeName || (target as Element).getAttribute(attributeName) !== oldValue
        const changes = new MutationObserver((records) => {
          if (records.some(isChange)) requestAnimationFrame(() => setTimeout(shown))
        })
        changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributeOldValue: true })
      },
      { once: true, capture: true }
    )
  }, type)
  await change()
  await page.waitForTimeout(QUIET_MS)
  const { began, shown } = await page.evaluate(() => window.lastChange ?? { began: 0, shown: Number.NaN })
  return shown - began
}

/** Scrolls the list and a blank one in turn, so that noise affects both alike. */
async function measureScrolling(layout: string): Promise<Record<string, Target>> {
  const ours: number[] = []
  const blank: number[] = []
  let elements = 0
  await page.evaluate(addBlankList)
  await scroll('[role=grid]', 0) // warms up
  for (let round = 0; round < rounds; round++) {
    blank.push(...(await scroll('#blank', round)).frames)
    const scrolled = await scroll('[role=grid]', round)
    ours.push(...scrolled.frames)
    elements = Math.max(elements, scrolled.elements)
  }
  await page.evaluate(() => document.getElementById('blank')?.remove())
  const mean = (frames: number[]) => frames.reduce((sum, ms) => sum + ms, 0) / frames.length
  printTable(`${rows.toLocaleString('en')} bookmarks as a ${layout}, ${rounds} rounds of ${FRAMES} frames, ms`, {
    Earmark: { ...distribution(ours), mean: mean(ours) },
    'blank list': { ...distribution(blank), mean: mean(blank) }
  })
  return {
    [`${layout}: frames, p50, times the blank list's`]: { measured: median(ours) / median(blank), most: MAX_RATIO },
    [`${layout}: frames, mean, times the blank list's`]: { measured: mean(ours) / mean(blank), most: MAX_RATIO },
    [`${layout}: elements at once`]: { measured: elements, most: MAX_ELEMENTS }
  }
}

/** Adds an empty list over the bookmarks: its frames take the time that the browser itself needs. */
function addBlankList(): void {
  const grid = document.querySelector('[role=grid]') as HTMLElement
  const { left, top, width, height } = grid.getBoundingClientRect()
  const blank = document.createElement('div')
  blank.id = 'blank'
  blank.style.cssText =
    'position: fixed; z-index: 9; overflow-y: auto; contain: strict; background: Canvas; display: none;' +
    `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px`
  const space = document.createElement('div')
  space.style.height = `${grid.scrollHeight}px`
  blank.append(space)
  document.body.append(blank)
}

/** Returns the times between frames, in ms, and the largest number of elements. */
function scroll(selector: string, round: number): Promise<{ frames: number[]; elements: number }> {
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
    { selector, from: round * 700_000, frames: FRAMES, step: PIXELS_PER_FRAME }
  )
}
