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
 * Expects that axe finds no problem, and that chosen elements are marked in forced colors. `npm run test:all -- full` also
 * checks the dark scheme, in which only colors differ. Soft: later states of the test are checked after a failure.
 */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  for (const media of runs([LIGHT, FORCED], [LIGHT, DARK, FORCED, FORCED_DARK])) {
    const state = `${name} ${media.colorScheme} ${media.forcedColors}`
    if (media.forcedColors === 'active') await page.emulateMedia({ forcedColors: null })
    await page.emulateMedia(media)
    if (media.forcedColors === 'active') await expect.soft.poll(() => findUnmarked(page), state).toEqual([])
    // Forced backgrounds are the same in both schemes: the short form does not measure their contrast.
    if (media === FORCED && !runs(false, true)) continue
    // The page applies another scheme some frames later.
    if (media !== LIGHT) {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    }
    const rules = media === LIGHT ? {} : { runOnly: ['color-contrast'] }
    // A dialog gets its name a moment after it is shown.
    await expect.soft.poll(() => violations(page, rules), state).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
}

/** Runs axe, which is injected once per document. */
export async function violations(page: Page, rules: object = {}): Promise<string[]> {
  const found = await page.evaluate(
    async (given) => {
      const { axe } = window as { axe?: Axe }
      if (!axe) return undefined
      const { violations, incomplete } = await axe.run(document, given)
      // Behind a dialog axe cannot decide whether hidden elements can be reached by Tab.
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
 * Lists chosen elements that look like the others in forced colors, in which backgrounds are removed: the chosen element
 * needs a line or a background in the system's Highlight color. Native controls mark themselves.
 */
function findUnmarked(page: Page): Promise<string[]> {
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
      .filter((element) => element.checkVisibility() && !isNative(element) && !isMarked(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 200))

    function isNative(element: HTMLElement): boolean {
      const { appearance, opacity } = getComputedStyle(element)
      return element instanceof HTMLInputElement && appearance !== 'none' && opacity !== '0' && element.offsetWidth > 4
    }

    function isMarked(element: HTMLElement): boolean {
      const label = element.id && document.querySelector(`label[for="${CSS.escape(element.id)}"]`)
      const next = element.nextElementSibling
      const drawn = [element, label, next, next?.nextElementSibling, element.parentElement]
      return drawn.some((part) => part instanceof Element && hasMark(getComputedStyle(part)))
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

/** Presses Tab until this element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
