import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { runs } from './runs.ts'

/** axe finds nothing on the page as it is; in `npm run test:full` in the dark too, where only colors differ. */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  for (const colorScheme of runs(['light'] as const, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    if (colorScheme === 'dark') axe.withRules(['color-contrast'])
    const { violations } = await axe.analyze()
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`)
    )
    expect(found, [name, colorScheme].join(' ')).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

/** Goes on with Tab until this has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
