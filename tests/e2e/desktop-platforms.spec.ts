import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, forgetOpened, test } from '../support/desktop-test.ts'
import { type Desktop, kind } from '../support/electron/desktop.ts'
import {
  captureField,
  clickTray,
  closeDashboard,
  dashboardOf,
  expectCapture,
  expectDashboard,
  isCaptureShown,
  isDashboardShown,
  messagesOf,
  pressButton
} from './desktop-app.ts'

// Behavior of other platforms, and of failures that only the stand-in produces.
test.skip(kind !== 'stand-in', 'needs the stand-in')
test.describe.configure({ timeout: 60_000 })
test.use({ trace: 'off' })

/** Presses a shortcut: the given one, or the one registered last. */
function press(desktop: Desktop, keys?: string): Promise<unknown> {
  const chosen = keys ? `recorded.shortcuts.get('${keys}')` : '[...recorded.shortcuts.values()].at(-1)'
  return desktop.recorded(new Function('recorded', `${chosen}?.()`) as never)
}

function answer(desktop: Desktop, button: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.answers.push('${button}')`) as never)
}

/** Makes the page refuse to be closed, as it does during an import. */
function refuseToClose(page: Page): Promise<void> {
  return page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
}

test('on Wayland a changed shortcut replaces the old one, and the clipboard is read with the focus', async ({
  start,
  data
}) => {
  mkdirSync(join(data, 'desktop'), { mode: 0o700, recursive: true })
  const bounds = { x: 50, y: 50, width: 900, height: 640 }
  writeFileSync(join(data, 'desktop/preferences.json'), JSON.stringify({ window: { bounds, maximized: true } }))
  const desktop = await start({
    env: {
      XDG_SESSION_TYPE: 'wayland',
      STAND_IN_CLIPBOARD_MS: '30',
      STAND_IN_TAKEN_SHORTCUTS: 'CommandOrControl+Shift+Y'
    }
  })
  const page = await dashboardOf(desktop)
  await expectDashboard(desktop, true)
  // After two seconds the window would be shown empty.
  expect(await desktop.recorded(({ blank }) => blank.filter((ms) => ms < 1990))).toEqual([])

  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Desktop app' }).getByRole('group', { name: 'Quick capture' })
  await expect(section).toContainText('Your desktop may ask you')
  await section.getByRole('button', { name: 'Change keys' }).click()
  await page.keyboard.press('Alt+Shift+s')
  await expect(section.locator('kbd')).toHaveText(['Alt', 'Shift', 'S'])
  await press(desktop, 'CommandOrControl+Shift+Y')
  expect(await isCaptureShown(desktop)).toBe(false)

  const capture = await desktop.page('/capture')
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/before'))
  await press(desktop, 'Alt+Shift+S')
  await expect(captureField(capture)).toHaveValue('https://copied.example/before ')
  await capture.keyboard.press('Escape')
  await expectCapture(desktop, false)
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/since'))
  await press(desktop, 'Alt+Shift+S')
  await expect(captureField(capture)).toHaveValue('https://copied.example/since ')
})

test('capture opens with the clipboard although no window gets the focus', async ({ start }) => {
  const desktop = await start({ env: { STAND_IN_NO_FOCUS: '1' } })
  const capture = await desktop.page('/capture')
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/'))
  await press(desktop)
  await expect(captureField(capture)).toHaveValue('https://copied.example/ ')
})

const loginChecked = (desktop: Desktop) =>
  desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('toggle-login')?.checked)

test('on macOS the login item is set, capture opens repeatedly, and the dock icon opens the window', async ({
  start
}) => {
  const env = { STAND_IN_PLATFORM: 'darwin', STAND_IN_PACKAGED: '1', XDG_CURRENT_DESKTOP: '' }
  const desktop = await start({ env })
  await dashboardOf(desktop)
  await desktop.recorded(({ applicationMenu }) => applicationMenu?.getMenuItemById('toggle-login')?.click())
  expect(await desktop.recorded(({ loginItem }) => loginItem)).toBe(process.execPath)
  const capture = await desktop.page('/capture')
  for (const copied of ['https://one.example/', 'https://two.example/']) {
    await desktop.run(({ clipboard }, text) => clipboard.writeText(text), copied)
    await press(desktop)
    await expect(captureField(capture)).toHaveValue(`${copied} `)
    await capture.keyboard.press('Escape')
    await expectCapture(desktop, false)
  }
  expect(await isDashboardShown(desktop)).toBe(true)
  await closeDashboard(desktop)
  await expectDashboard(desktop, false)
  await desktop.run(({ app }) => void app.emit('activate'))
  await expectDashboard(desktop, true)
})

test('on macOS a checkout cannot start at login, because the system would register Electron alone', async ({
  start
}) => {
  const desktop = await start({ env: { STAND_IN_PLATFORM: 'darwin', XDG_CURRENT_DESKTOP: '' } })
  const page = await dashboardOf(desktop)
  for (const menu of ['applicationMenu', 'trayMenu'] as const) {
    const read = new Function('recorded', `return recorded.${menu}.getMenuItemById('toggle-login')`) as never
    expect(await desktop.recorded(read), menu).toBeNull()
  }
  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Desktop app' })
  await expect(section.getByRole('switch').first()).toBeVisible()
  await expect(section.getByRole('switch', { name: 'Start at login' })).toHaveCount(0)
})

test('on macOS a refused login item is reported, and stays unchecked', async ({ start }) => {
  const env = { STAND_IN_PLATFORM: 'darwin', STAND_IN_PACKAGED: '1', STAND_IN_NO_LOGIN_ITEM: '1' }
  const desktop = await start({ env })
  await dashboardOf(desktop)
  await clickTray(desktop, 'toggle-login')
  expect(await messagesOf(desktop)).toEqual(['The system did not accept this setting'])
  expect(await loginChecked(desktop)).toBe(false)
})

test('on Windows a checkout starts at login with its library, in a path with a space', async ({ start, data }) => {
  const library = join(data, 'my library')
  const desktop = await start({ args: ['--port', '0', '--data', library], env: { STAND_IN_PLATFORM: 'win32' } })
  await dashboardOf(desktop)
  await clickTray(desktop, 'toggle-login')
  const item = await desktop.recorded(({ loginItem }) => loginItem)
  expect(item).toBe(`${process.execPath} ${join(import.meta.dirname, '../..')} --hidden --data "${library}"`)
  expect(await loginChecked(desktop)).toBe(true)
})

test.describe('a running app', () => {
  test.describe.configure({ mode: 'default' })

  test('fetches no dictionary, and zooms its windows separately', async ({ desktop }) => {
    await dashboardOf(desktop)
    expect(await desktop.recorded(({ dictionaries }) => dictionaries)).toEqual([])
    const modes = await desktop.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => [
        window.getBounds().width,
        Reflect.get(window.webContents, 'zoomMode')
      ])
    )
    expect(modes).toContainEqual([520, 'isolated'])
  })

  test('opens its own links in its window, and goes back and forward', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const home = page.url()
    await forgetOpened(desktop)
    await page.evaluate(() => void window.open('/tags'))
    await expect(page).toHaveURL(new URL('/tags', home).href)
    await desktop.recorded(({ applicationMenu }) => applicationMenu?.getMenuItemById('back')?.click())
    await expect(page).toHaveURL(home)
    await desktop.recorded(({ applicationMenu }) => applicationMenu?.getMenuItemById('forward')?.click())
    await expect(page).toHaveURL(new URL('/tags', home).href)
    expect(await desktop.recorded(({ opened }) => opened)).toEqual([])
    await page.goto(home)
  })

  test('has a context menu', async ({ desktop }) => {
    await dashboardOf(desktop)
    await forgetOpened(desktop)
    await desktop.run(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((window) => window.getBounds().width !== 520)
      const editFlags = { canCopy: true }
      const clicked = { linkURL: 'https://linked.example/', isEditable: false, selectionText: 'linked', editFlags }
      window?.webContents.emit('context-menu', {}, clicked)
    })
    await desktop.recorded(({ contextMenu }) => contextMenu?.getMenuItemById('copy-link')?.click())
    expect(await desktop.run(({ clipboard }) => clipboard.readText())).toBe('https://linked.example/')
    await desktop.recorded(({ contextMenu }) => contextMenu?.getMenuItemById('open-link')?.click())
    expect(await desktop.recorded(({ opened }) => opened)).toEqual(['https://linked.example/'])
  })

  test('refuses a call from a closed frame', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const message = await page.evaluate(() =>
      (window as unknown as { standInCall(kind: string, name: string, args: unknown[]): Promise<unknown> })
        .standInCall('gone', 'read-settings', [])
        .then(String, (error) => error.message)
    )
    expect(message).toContain('not for this sender')
  })

  test('starts one session and reloads once after several refused requests', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    await desktop.run(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows().find((window) => window.getBounds().width !== 520)?.webContents
      const reload = contents?.reload.bind(contents)
      const counted = Object.assign(globalThis, { reloads: 0 })
      Object.assign(contents ?? {}, {
        reload() {
          counted.reloads += 1
          reload?.()
        }
      })
    })
    await page
      .evaluate(async () => {
        await fetch('/api/session', { method: 'DELETE' })
        await Promise.all(Array.from({ length: 12 }, () => fetch('/api/status')))
      })
      .catch(() => {})
    const status = () => statusIn(page).catch(() => 0)
    await expect.poll(status).toBe(200)
    await page.getByRole('navigation').waitFor()
    expect(await desktop.run(() => Reflect.get(globalThis, 'reloads'))).toBe(1)
  })

  test('survives uncaught errors, which are logged and reported once', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    await desktop.run(() => {
      setTimeout(() => {
        throw new Error('planted')
      })
      void Promise.reject(new Error('planted as well'))
    })
    await expect.poll(() => messagesOf(desktop)).toEqual(['Something unexpected happened'])
    await pressButton(desktop, 'Go On')
    expect(await statusIn(page)).toBe(200)
    const log = readFileSync(join(desktop.data, 'earmark.log'), 'utf8')
    expect(log).toContain('planted')
    expect(log).toContain('planted as well')
  })

  test('reloads a crashed page, and asks after the third crash', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const crash = () =>
      desktop.run(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((window) => window.getBounds().width !== 520)
          ?.webContents.forcefullyCrashRenderer()
      )
    for (let times = 0; times < 3; times += 1) {
      const loaded = page.waitForEvent('load')
      await crash()
      await loaded
    }
    expect(await messagesOf(desktop)).toEqual([])
    await crash()
    await expect.poll(() => messagesOf(desktop)).toEqual(['The window keeps failing'])
    const loaded = page.waitForEvent('load')
    await pressButton(desktop, 'Try Again')
    await loaded
    await page.getByRole('navigation').waitFor()
  })
})

test('a page that imports keeps the app from quitting until Leave, and its window can be hidden', async ({
  start,
  data
}) => {
  const desktop = await start()
  const page = await dashboardOf(desktop)
  await refuseToClose(page)
  await clickTray(desktop, 'quit')
  await expect.poll(() => messagesOf(desktop)).toEqual(['A file is still being imported'])
  await closeDashboard(desktop)
  await expectDashboard(desktop, false)
  expect(await statusIn(page)).toBe(200)
  await answer(desktop, 'Leave')
  await clickTray(desktop, 'quit').catch(() => {})
  expect(await desktop.ended, desktop.output()).toBe(0)
  expect(existsSync(join(data, 'service.json'))).toBe(false)
})

function statusIn(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/api/status')).status)
}
