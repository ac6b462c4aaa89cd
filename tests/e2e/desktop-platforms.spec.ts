import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, forgetOpened, test } from '../support/desktop-test.ts'
import { type Desktop, kind } from '../support/electron/desktop.ts'

/** What a desktop other than this one does, and what can be had only by asking for it. */
test.skip(kind !== 'stand-in', 'a real desktop is what it is, and its pages end by themselves; tests/real tries those')
test.describe.configure({ timeout: 60_000 })
test.use({ trace: 'off' })

const field = (page: Page) => page.getByRole('textbox', { name: 'What to save' })

/** Presses these keys, whoever has them; the last ones that were taken where none are named. */
function press(desktop: Desktop, keys?: string): Promise<unknown> {
  const chosen = keys ? `recorded.shortcuts.get('${keys}')` : '[...recorded.shortcuts.values()].at(-1)'
  return desktop.recorded(new Function('recorded', `${chosen}?.()`) as never)
}

function captureShows(desktop: Desktop): Promise<boolean> {
  return desktop.run(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((one) => one.getBounds().width === 520 && one.isVisible())
  )
}

function dashboardShows(desktop: Desktop): Promise<boolean> {
  return desktop.run(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((one) => one.getBounds().width !== 520 && one.isVisible())
  )
}

function answer(desktop: Desktop, button: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.answers.push('${button}')`) as never)
}

function messages(desktop: Desktop): Promise<string[]> {
  return desktop.recorded(({ dialogs }) => dialogs.map(({ message }) => message))
}

async function navigation(desktop: Desktop): Promise<Page> {
  const page = await desktop.page('/')
  await page.getByRole('navigation').waitFor()
  return page
}

/** From now on the page minds being left, as it does while it imports. */
function mind(page: Page): Promise<void> {
  return page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
}

test('on Wayland the window shows, the keys of before are dead, and what was copied is read with the focus', async ({
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
  const page = await navigation(desktop)
  await expect.poll(() => dashboardShows(desktop)).toBe(true)
  // After two seconds it comes as it is.
  expect(await desktop.recorded(({ blank }) => blank.filter((ms) => ms < 1990))).toEqual([])

  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Desktop app' }).getByRole('group', { name: 'Quick capture' })
  await expect(section).toContainText('Your desktop may ask you')
  await section.getByRole('button', { name: 'Change keys' }).click()
  await page.keyboard.press('Alt+Shift+s')
  await expect(section.locator('kbd')).toHaveText(['Alt', 'Shift', 'S'])
  await press(desktop, 'CommandOrControl+Shift+Y')
  expect(await captureShows(desktop)).toBe(false)

  const capture = await desktop.page('/capture')
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/before'))
  await press(desktop, 'Alt+Shift+S')
  await expect(field(capture)).toHaveValue('https://copied.example/before ')
  await capture.keyboard.press('Escape')
  await expect.poll(() => captureShows(desktop)).toBe(false)
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/since'))
  await press(desktop, 'Alt+Shift+S')
  await expect(field(capture)).toHaveValue('https://copied.example/since ')
})

test('where no window gets the focus, capture opens all the same, with what is known', async ({ start }) => {
  const desktop = await start({ env: { STAND_IN_NO_FOCUS: '1' } })
  const capture = await desktop.page('/capture')
  await desktop.run(({ clipboard }) => clipboard.writeText('https://copied.example/'))
  await press(desktop)
  await expect(field(capture)).toHaveValue('https://copied.example/ ')
})

const toggleLogin = (desktop: Desktop) =>
  desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('toggle-login')?.click())

const loginChecked = (desktop: Desktop) =>
  desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('toggle-login')?.checked)

test('on macOS the menus and the login item are its own, and capture comes as often as it is asked for', async ({
  start
}) => {
  const env = { STAND_IN_PLATFORM: 'darwin', STAND_IN_PACKAGED: '1', XDG_CURRENT_DESKTOP: '' }
  const desktop = await start({ env })
  await navigation(desktop)
  const menus = await desktop.recorded(({ applicationMenu }) =>
    applicationMenu?.items.map((one) => one.label || one.role)
  )
  expect(menus).toEqual(['Earmark', 'fileMenu', 'editMenu', '&View', 'windowMenu'])
  await desktop.recorded(({ applicationMenu }) => applicationMenu?.getMenuItemById('toggle-login')?.click())
  expect(await desktop.recorded(({ loginItem }) => loginItem)).toBe(process.execPath)
  const capture = await desktop.page('/capture')
  for (const copied of ['https://one.example/', 'https://two.example/']) {
    await desktop.run(({ clipboard }, text) => clipboard.writeText(text), copied)
    await press(desktop)
    await expect(field(capture)).toHaveValue(`${copied} `)
    await capture.keyboard.press('Escape')
    await expect.poll(() => captureShows(desktop)).toBe(false)
  }
  expect(await dashboardShows(desktop)).toBe(true)
  await desktop.run(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.isVisible())
      ?.close()
  )
  await expect.poll(() => dashboardShows(desktop)).toBe(false)
  await desktop.run(({ app }) => void app.emit('activate'))
  await expect.poll(() => dashboardShows(desktop)).toBe(true)
})

test('on macOS a checkout cannot start at login: the system would register Electron alone', async ({ start }) => {
  const desktop = await start({ env: { STAND_IN_PLATFORM: 'darwin', XDG_CURRENT_DESKTOP: '' } })
  const page = await navigation(desktop)
  for (const menu of ['applicationMenu', 'trayMenu'] as const) {
    const read = new Function('recorded', `return recorded.${menu}.getMenuItemById('toggle-login')`) as never
    expect(await desktop.recorded(read), menu).toBeNull()
  }
  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Desktop app' })
  await expect(section.getByRole('switch').first()).toBeVisible()
  await expect(section.getByRole('switch', { name: 'Start at login' })).toHaveCount(0)
})

test('on macOS a login item that the system does not take is said, and not shown as taken', async ({ start }) => {
  const env = { STAND_IN_PLATFORM: 'darwin', STAND_IN_PACKAGED: '1', STAND_IN_NO_LOGIN_ITEM: '1' }
  const desktop = await start({ env })
  await navigation(desktop)
  await toggleLogin(desktop)
  expect(await messages(desktop)).toEqual(['The system did not accept this setting'])
  expect(await loginChecked(desktop)).toBe(false)
})

test('on Windows a checkout starts itself at login, and its library, whose path has a space', async ({
  start,
  data
}) => {
  const library = join(data, 'my library')
  const desktop = await start({ args: ['--port', '0', '--data', library], env: { STAND_IN_PLATFORM: 'win32' } })
  await navigation(desktop)
  await toggleLogin(desktop)
  const item = await desktop.recorded(({ loginItem }) => loginItem)
  expect(item).toBe(`${process.execPath} ${join(import.meta.dirname, '../..')} --hidden --data "${library}"`)
  expect(await loginChecked(desktop)).toBe(true)
})

test.describe('a running app', () => {
  test.describe.configure({ mode: 'default' })

  test('fetches no dictionary, and zooms its windows apart', async ({ desktop }) => {
    await navigation(desktop)
    expect(await desktop.recorded(({ dictionaries }) => dictionaries)).toEqual([])
    const modes = await desktop.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((one) => [one.getBounds().width, Reflect.get(one.webContents, 'zoomMode')])
    )
    expect(modes).toContainEqual([520, 'isolated'])
  })

  test('follows its own links in its window, and goes back', async ({ desktop }) => {
    const page = await navigation(desktop)
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

  test('has a menu on a right click', async ({ desktop }) => {
    await navigation(desktop)
    await forgetOpened(desktop)
    await desktop.run(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.getBounds().width !== 520)
      const editFlags = { canCopy: true }
      const clicked = { linkURL: 'https://linked.example/', isEditable: false, selectionText: 'linked', editFlags }
      window?.webContents.emit('context-menu', {}, clicked)
    })
    await desktop.recorded(({ contextMenu }) => contextMenu?.getMenuItemById('copy-link')?.click())
    expect(await desktop.run(({ clipboard }) => clipboard.readText())).toBe('https://linked.example/')
    await desktop.recorded(({ contextMenu }) => contextMenu?.getMenuItemById('open-link')?.click())
    expect(await desktop.recorded(({ opened }) => opened)).toEqual(['https://linked.example/'])
  })

  test('refuses a call whose frame is gone', async ({ desktop }) => {
    const page = await navigation(desktop)
    const said = await page.evaluate(() =>
      (window as unknown as { standInCall(kind: string, name: string, args: unknown[]): Promise<unknown> })
        .standInCall('gone', 'read-settings', [])
        .then(String, (error) => error.message)
    )
    expect(said).toContain('not for this sender')
  })

  test('begins one session, and its page once, however much was refused', async ({ desktop }) => {
    const page = await navigation(desktop)
    await desktop.run(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows().find((one) => one.getBounds().width !== 520)?.webContents
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

  test('outlives an error that nobody caught: it is logged, and told once', async ({ desktop }) => {
    const page = await navigation(desktop)
    await desktop.run(() => {
      setTimeout(() => {
        throw new Error('planted')
      })
      void Promise.reject(new Error('planted as well'))
    })
    await expect.poll(() => messages(desktop)).toEqual(['Something unexpected happened'])
    await desktop.recorded(({ dialogs }) => dialogs.pop()?.press?.('Go On'))
    expect(await statusIn(page)).toBe(200)
    const log = readFileSync(join(desktop.data, 'earmark.log'), 'utf8')
    expect(log).toContain('planted')
    expect(log).toContain('planted as well')
  })

  test('loads a page anew that crashed, and asks where that does not help', async ({ desktop }) => {
    const page = await navigation(desktop)
    const crash = () =>
      desktop.run(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((one) => one.getBounds().width !== 520)
          ?.webContents.forcefullyCrashRenderer()
      )
    for (let times = 0; times < 3; times += 1) {
      const loaded = page.waitForEvent('load')
      await crash()
      await loaded
    }
    expect(await messages(desktop)).toEqual([])
    await crash()
    await expect.poll(() => messages(desktop)).toEqual(['The window keeps failing'])
    const loaded = page.waitForEvent('load')
    await desktop.recorded(({ dialogs }) => dialogs.pop()?.press?.('Try Again'))
    await loaded
    await page.getByRole('navigation').waitFor()
  })
})

test('a page that is at work may stay: quitting is off, closing still hides; then it may go', async ({
  start,
  data
}) => {
  const desktop = await start()
  const page = await navigation(desktop)
  await mind(page)
  const quit = () => desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('quit')?.click())
  await quit()
  await expect.poll(() => messages(desktop)).toEqual(['A file is still being imported'])
  await desktop.run(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.getBounds().width !== 520)
      ?.close()
  )
  await expect.poll(() => dashboardShows(desktop)).toBe(false)
  expect(await statusIn(page)).toBe(200)
  await answer(desktop, 'Leave')
  await quit().catch(() => {})
  expect(await desktop.ended, desktop.output()).toBe(0)
  expect(existsSync(join(data, 'service.json'))).toBe(false)
})

/** What the service answers this page. */
function statusIn(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/api/status')).status)
}
