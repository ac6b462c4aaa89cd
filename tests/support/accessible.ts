import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { runs } from './runs.ts'

const { resolve } = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE = readFileSync(resolve('axe-core/axe.min.js'), 'utf8')

const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const
const DARK = { colorScheme: 'dark', forcedColors: 'none' } as const
const FORCED = { colorScheme: 'light', forcedColors: 'active' } as const
const FORCED_DARK = { colorScheme: 'dark', forcedColors: 'active' } as const

/**
 * axe finds nothing on the page as it is, and with the system's own colors what is chosen is seen. In `npm run test:all -- full`
 * in the dark too, where only colors differ. A fault does not keep other states from being looked at.
 */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  for (const media of runs([LIGHT, FORCED], [LIGHT, DARK, FORCED, FORCED_DARK])) {
    const looks = `${name} ${media.colorScheme} ${media.forcedColors}`
    if (media.forcedColors === 'active') await page.emulateMedia({ forcedColors: null })
    await page.emulateMedia(media)
    if (media.forcedColors === 'active') await expect.soft.poll(() => unseenChoices(page), looks).toEqual([])
    // A ground that the system took away is no contrast that axe could measure twice over.
    if (media === FORCED && !runs(false, true)) continue
    // The page follows another scheme some frames later.
    if (media !== LIGHT) {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    }
    const rules = media === LIGHT ? {} : { runOnly: ['color-contrast'] }
    // A dialog gets its name a moment after it is shown: what is wrong stays wrong.
    await expect.soft.poll(() => violations(page, rules), looks).toEqual([])
  }
  // Asked of each document: the browser forgets forced colors with some navigations.
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
}

/** What axe finds. It is brought to a document once, not each time that it is asked. */
export async function violations(page: Page, rules: object = {}): Promise<string[]> {
  const found = await page.evaluate(
    async (given) => {
      const { axe } = window as { axe?: Axe }
      if (!axe) return undefined
      const { violations, incomplete } = await axe.run(document, given)
      // Behind a dialog it leaves open whether what is hidden can be reached by Tab.
      const unsure = incomplete.filter(({ id }) => id === 'aria-hidden-focus')
      return [...violations, ...unsure].flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`)
      )
    },
    { resultTypes: ['violations'], ...rules }
  )
  if (found) return found
  await page.evaluate(AXE)
  return violations(page, rules)
}

interface Axe {
  run(page: Document, options: object): ReturnType<AxeBuilder['analyze']>
}

/**
 * With the system's own colors grounds are gone: what is chosen has a line or a ground in the color the system marks
 * things with. Gives those that have none. The browser's own controls mark themselves.
 */
function unseenChoices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (!matchMedia('(forced-colors: active)').matches) return ['no forced colors yet']
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.cssText = 'forced-color-adjust: none; color: Highlight'
    const highlight = getComputedStyle(probe).color
    probe.remove()
    const chosen = document.querySelectorAll<HTMLElement>(
      'input:checked, [role="option"][aria-selected="true"], [role="gridcell"][aria-selected="true"], ' +
        '[role="option"][data-combobox-selected], [aria-current="page"], [role="tab"][aria-selected="true"]'
    )
    return [...chosen]
      .filter((one) => one.checkVisibility() && !isBrowsers(one) && !isMarked(one))
      .map(({ outerHTML }) => outerHTML.slice(0, 200))

    function isBrowsers(one: HTMLElement): boolean {
      const { appearance, opacity } = getComputedStyle(one)
      return one instanceof HTMLInputElement && appearance !== 'none' && opacity !== '0' && one.offsetWidth > 4
    }

    function isMarked(one: HTMLElement): boolean {
      const label = one.id && document.querySelector(`label[for="${CSS.escape(one.id)}"]`)
      const drawn = [one, label, one.nextElementSibling, one.nextElementSibling?.nextElementSibling, one.parentElement]
      return drawn.some((element) => element instanceof Element && hasMark(getComputedStyle(element)))
    }

    function hasMark({
      outlineStyle,
      outlineColor,
      borderTopColor,
      borderLeftColor,
      backgroundColor
    }: CSSStyleDeclaration) {
      const lined = outlineStyle !== 'none' && outlineColor === highlight
      return lined || [borderTopColor, borderLeftColor, backgroundColor].includes(highlight)
    }
  })
}

/** Goes on with Tab until this has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
