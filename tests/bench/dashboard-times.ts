import type { Page } from '@playwright/test'
import type { Target } from './targets.ts'

const LOADS = 9
const KEYS = ['j', 'j', 'k', 'x', 'x', 'j', 'k', 'k']
/** After a key or a click its effects are there within this, in milliseconds; related bookmarks come later on purpose. */
const QUIET = 220
const VIEWS = ['Tags', 'Settings', 'API Keys', 'Trash', 'Organizations']

declare global {
  interface Window {
    /** When the rows of the list were there, in milliseconds since the page was asked for. */
    rowsAt?: number
    /** When the last event came and when the page last changed after it, as `rowsAt`. */
    lastChange?: { began: number; shown: number }
  }
}

/**
 * Measures the dashboard that is open in this page as a person meets it: loaded again with its files in the browser's
 * cache, keys pressed in the list, views opened for the first time.
 *
 * @returns times in milliseconds, each with its target; a load and a key by their medians
 */
export async function measureTimes(page: Page): Promise<Record<string, Target>> {
  const { paint, rows } = await measureLoads(page)
  const openings = await measureOpenings(page)
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('grid').waitFor()
  await page.waitForTimeout(2000)
  await page.keyboard.press('j')
  const closed = await measureKeys(page)
  await page.getByRole('gridcell').nth(2).click()
  await page.getByRole('complementary', { name: 'Bookmark' }).waitFor()
  const open = await measureKeys(page)
  return {
    'first paint, ms': { measured: paint, most: 200 },
    'rows in the list, ms': { measured: rows, most: 600 },
    'key to the last change, p50, ms': { measured: closed, most: 60 },
    'the same with the panel open, ms': { measured: open, most: 60 },
    ...Object.fromEntries(openings.map(([view, ms]) => [`first opening of ${view}, ms`, { measured: ms, most: 100 }]))
  }
}

async function measureLoads(page: Page): Promise<{ paint: number; rows: number }> {
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
  return { paint: median(loads.map((load) => load.paint)), rows: median(loads.map((load) => load.rows)) }
}

/** Presses keys in the list, and waits after each until the page is as it will be. Returns the median. */
async function measureKeys(page: Page): Promise<number> {
  const times: number[] = []
  for (const key of KEYS) {
    times.push(await timeToLastChange(page, 'keydown', QUIET, () => page.keyboard.press(key)))
    await page.waitForTimeout(400)
  }
  return median(times)
}

/** Opens each view from the sidebar, the first time since the page was loaded. */
async function measureOpenings(page: Page): Promise<[view: string, ms: number][]> {
  await page.waitForTimeout(2000)
  const openings: [string, number][] = []
  for (const view of VIEWS) {
    const link = page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^(All )?${view}`, 'i') })
      .first()
    openings.push([view, await timeToLastChange(page, 'click', QUIET, () => link.click())])
  }
  return openings
}

/**
 * Does what changes the page, and waits until it is as it will be.
 *
 * @param type the event that begins the change
 * @param wait in milliseconds
 * @returns the milliseconds from the event to the frame that shows the last change
 */
async function timeToLastChange(page: Page, type: 'keydown' | 'click', wait: number, change: () => Promise<void>) {
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
  await page.waitForTimeout(wait)
  const { began, shown } = await page.evaluate(() => window.lastChange ?? { began: 0, shown: Number.NaN })
  return shown - began
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
