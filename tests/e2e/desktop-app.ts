import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessible.ts'
import type { Desktop } from '../support/electron/desktop.ts'

/** The capture window, which is 520 pixels wide, and the dashboard's window. */
export function windowsOf(desktop: Desktop) {
  return desktop.run(({ BrowserWindow }) => {
    const all = BrowserWindow.getAllWindows().map((window) => ({ ...window.getBounds(), visible: window.isVisible() }))
    return { capture: all.find(({ width }) => width === 520), dashboard: all.find(({ width }) => width !== 520) }
  })
}

export const isCaptureShown = async (desktop: Desktop) => (await windowsOf(desktop)).capture?.visible === true
export const isDashboardShown = async (desktop: Desktop) => (await windowsOf(desktop)).dashboard?.visible === true

export const expectCapture = (desktop: Desktop, isShown: boolean) =>
  expect.poll(() => isCaptureShown(desktop)).toBe(isShown)
export const expectDashboard = (desktop: Desktop, isShown: boolean) =>
  expect.poll(() => isDashboardShown(desktop)).toBe(isShown)

/** Closes the window of the dashboard, as its close button does. */
export function closeDashboard(desktop: Desktop): Promise<void> {
  return desktop.run(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getBounds().width !== 520)
      ?.close()
  )
}

/** The dashboard, once it has loaded. */
export async function dashboardOf(desktop: Desktop): Promise<Page> {
  const page = await desktop.page('/')
  await page.getByRole('navigation').waitFor()
  return page
}

/** Expects that axe finds no problem in the capture window, in light and in dark. */
export async function expectNoViolations(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

export const captureField = (page: Page) => page.getByRole('textbox', { name: 'What to save' })

export function clickTray(desktop: Desktop, id: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.trayMenu.getMenuItemById('${id}').click()`) as never)
}

/** Presses a button of the dialog that was shown last. */
export function pressButton(desktop: Desktop, label: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.dialogs.pop().press('${label}')`) as never)
}

export function messagesOf(desktop: Desktop): Promise<string[]> {
  return desktop.recorded(({ dialogs }) => dialogs.map(({ message }) => message))
}
