import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

/** axe finds nothing on the page as it is, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // What fades in is not what is read.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const found = violations.map(({ id, help, nodes }) => ({ id, help, in: nodes.map((node) => node.html) }))
    expect(found, colorScheme).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** Goes on with Tab until this has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
