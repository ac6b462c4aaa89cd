import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, forgetOpened, test } from '../support/desktop-test.ts'
import { type Desktop, kind } from '../support/electron/desktop.ts'
import { screenshots } from '../support/playwright.ts'
import {
  clickTray,
  closeDashboard,
  dashboardOf,
  expectDashboard,
  isDashboardShown,
  messagesOf,
  pressButton,
  windowsOf
} from './desktop-app.ts'

const program = join(import.meta.dirname, '../../out/main/earmark.js')

/** The tests of a running app share one app. */
test.describe.configure({ mode: 'default', timeout: 60_000 })
test.use({ trace: 'off' })

/** The windows have their own partition; the context of a page has the cookies of the default session. */
async function sessionCookie(desktop: Desktop) {
  const [cookie] = await desktop.run(({ session }) => session.fromPartition('persist:earmark').cookies.get({}))
  return cookie
}

/** Clicks a link in the page. */
function follow(page: Page, address: string): Promise<void> {
  return page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
    link.remove()
  }, address)
}

test.describe('a running app', () => {
  test('shows the dashboard, logged in without a token in its address', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    await expectDashboard(desktop, true)
    // Another test of the shared app may have opened a bookmark.
    const plain = /^http:\/\/[\da-f]{32}\.localhost:\d+\/(\?open=[\w-]{16})?$/
    expect(page.url()).toMatch(plain)
    const history = await page.evaluate(() => performance.getEntriesByType('navigation').map((entry) => entry.name))
    expect(history).toEqual([expect.stringMatching(plain)])
    const cookie = await sessionCookie(desktop)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'strict', domain: new URL(page.url()).hostname })
    expect(await page.context().cookies(), 'cookies of the default session').toEqual([])
    // The storage of pages is on disk.
    const stored = () => [...Object.values(localStorage), ...Object.values(sessionStorage)].join()
    expect(await page.evaluate(stored)).not.toContain(cookie?.value)
    await screenshots(page, 'window')
  })

  test('opens foreign pages in the browser, and stays on its own page', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const url = page.url()
    await forgetOpened(desktop)
    const opened = () => desktop.recorded((recorded) => recorded.opened)
    await page.evaluate(() => void window.open('https://a.example/opened'))
    await expect.poll(opened).toEqual(['https://a.example/opened'])
    await follow(page, 'https://a.example/linked')
    await expect.poll(opened).toEqual(['https://a.example/opened', 'https://a.example/linked'])
    expect(page.url()).toBe(url)
  })

  test('opens no links of other programs except those that install Earmark in editors', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const url = page.url()
    await forgetOpened(desktop)
    for (const address of [
      'file:///etc/passwd',
      'javascript-not:alert(1)',
      'mailto:somebody@a.example',
      'vscode://file/etc/passwd',
      'vscode:extension/evil.example',
      'vscode:mcp/installed',
      'cursor://anysphere.cursor-deeplink/prompt?text=x',
      'vscode-insiders:mcp/install?x'
    ]) {
      await page.evaluate((to) => void window.open(to), address)
      await follow(page, address)
    }
    await page.getByRole('link', { name: 'API Keys' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('editor')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await desktop.run(({ clipboard }) => clipboard.readText())).toMatch(/^emk_/)
    await page.getByRole('link', { name: 'Install in VS Code' }).click()
    await page.getByText('Cursor', { exact: true }).click()
    await page.getByRole('link', { name: 'Install in Cursor' }).click()
    await expect
      .poll(() => desktop.recorded(({ opened }) => opened))
      .toEqual([
        expect.stringMatching(/^vscode:mcp\/install\?%7B/),
        expect.stringMatching(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=earmark&config=/)
      ])
    await page.evaluate(() => {
      location.href = 'javascript-not:alert(1)'
    })
    expect(new URL(page.url()).origin).toBe(new URL(url).origin)
    expect(await desktop.recorded(({ opened }) => opened)).toHaveLength(2)
    await page.goto(url)
  })

  test('gives its pages no permissions, and copies text for them', async ({ desktop }) => {
    const page = await desktop.page('/')
    const refused = await page.evaluate(() => navigator.clipboard.writeText('x').then(String, (error) => error.name))
    expect(refused).toBe('NotAllowedError')
    await page.evaluate(() =>
      (globalThis as { earmarkDesktop?: { copyText(text: string): void } }).earmarkDesktop?.copyText('from the page')
    )
    expect(await desktop.run(({ clipboard }) => clipboard.readText())).toBe('from the page')
  })

  test('refuses calls with wrong arguments, and calls of another window', async ({ desktop }) => {
    test.skip(kind !== 'stand-in', 'the real preload lets a page make no call but its own')
    const page = await desktop.page('/')
    const call = (channel: string, args: unknown[]) =>
      page.evaluate(
        ([name, given]) =>
          (window as unknown as { standInCall(kind: string, name: string, args: unknown[]): Promise<unknown> })
            .standInCall('invoke', name, given)
            .then(String, (error) => error.message),
        [channel, args] as const
      )
    expect(await call('copy-text', [1])).toContain('not these arguments')
    expect(await call('copy-text', ['a', 'b'])).toContain('not these arguments')
    expect(await call('change-settings', [{ other: true }])).toContain('not these arguments')
    expect(await call('open-bookmark', ['x'])).toContain('not for this sender')
    expect(await call('read-file', ['/etc/passwd'])).toContain('No handler')
  })

  test('stays in the tray when its window closes, reports this once, and returns', async ({ desktop }) => {
    await dashboardOf(desktop)
    await closeDashboard(desktop)
    expect(await isDashboardShown(desktop)).toBe(false)
    expect(await messagesOf(desktop)).toEqual(['Earmark stays in the tray'])
    await pressButton(desktop, 'OK')
    await clickTray(desktop, 'show')
    expect(await isDashboardShown(desktop)).toBe(true)
    await closeDashboard(desktop)
    expect(await desktop.recorded(({ dialogs }) => dialogs.length)).toBe(0)
    await desktop.recorded(({ tray }) => tray?.click())
    expect(await isDashboardShown(desktop)).toBe(true)
  })

  test('has its menus in the language chosen in Settings', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const quit = () => desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('quit')?.label)
    const choose = async (language: string) => {
      await page.goto(new URL('/settings', page.url()).href)
      await page.locator('#appearance select').selectOption(language)
    }
    await choose('de')
    await expect.poll(quit).toBe('Earmark beenden')
    await choose('system')
    await expect.poll(quit).toBe('Quit Earmark')
    // The next test looks for the app's window by this address.
    await page.goto(new URL('/', page.url()).href)
  })

  test('renews its session after the old one ended', async ({ desktop }) => {
    const page = await dashboardOf(desktop)
    const token = async () => (await sessionCookie(desktop))?.value
    const before = await token()
    const ask = (path: string, method: string) =>
      page.evaluate(async (asked) => (await fetch(asked.path, { method: asked.method })).status, { path, method })
    // The page may notice by its events and reload during these requests.
    await ask('/api/session', 'DELETE').catch(() => {})
    await ask('/api/status', 'GET').catch(() => {})
    await expect(page.getByRole('navigation')).toBeVisible()
    await expect.poll(() => token().catch(() => before)).not.toBe(before)
    await expect.poll(() => ask('/api/status', 'GET').catch(() => 0)).toBe(200)
  })

  test('is shown by a second start, which then ends', async ({ desktop }) => {
    await dashboardOf(desktop)
    await desktop.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.hide()
    )
    expect(await desktop.again()).toBe(0)
    await expectDashboard(desktop, true)
  })
})

test('settings change the shortcut, the login item, the menu entry and the tray; without a tray, closing quits', async ({
  start,
  data
}) => {
  const desktop = await start({
    env: { STAND_IN_TAKEN_SHORTCUTS: 'CommandOrControl+Shift+Y Control+Alt+K', XDG_CURRENT_DESKTOP: 'GNOME' }
  })
  const page = await desktop.page('/')
  const refused = () => desktop.recorded(({ applicationMenu }) => applicationMenu?.getMenuItemById('refused')?.label)
  const held = () => desktop.recorded(({ shortcuts }) => [...shortcuts.keys()])
  await page.getByRole('link', { name: 'Settings' }).click()
  const settings = page.getByRole('region', { name: 'Desktop app' })
  const section = settings.getByRole('group', { name: 'Quick capture' })
  await expect(section.getByRole('alert')).toContainText('refuses these keys')
  expect(await refused()).toBe('CommandOrControl+Shift+Y is not available here')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expectAccessible(page)

  const keys = section.getByRole('button', { name: 'Change keys' })
  await keys.click()
  await page.keyboard.press('k')
  await expect(section.getByRole('alert')).toContainText('Hold Ctrl')
  await page.keyboard.press('Control+Alt+k')
  await expect(section.getByRole('alert')).toContainText('refuses these keys')
  await keys.click()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveAttribute('aria-pressed', 'false')
  await keys.click()
  await page.keyboard.press('Alt+Shift+s')
  await expect(section.getByRole('alert')).toHaveCount(0)
  await expect(section.locator('kbd')).toHaveText(['Alt', 'Shift', 'S'])
  expect(await held()).toEqual(['Alt+Shift+S'])
  expect(await refused()).toBeUndefined()
  await screenshots(page, 'settings-desktop')
  await section.getByRole('button', { name: 'Remove keys' }).click()
  await expect(section).toContainText('None')
  expect(await held()).toEqual([])

  const file = join(data, 'config/autostart/app.earmark.Earmark.desktop')
  const login = settings.getByRole('switch', { name: 'Start at login' })
  await login.click()
  await expect(login).toBeChecked()
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('"--hidden"')
  await login.click()
  await expect.poll(() => existsSync(file)).toBe(false)

  const entry = join(data, 'share/applications/app.earmark.Earmark.desktop')
  const inMenu = settings.getByRole('switch', { name: 'Show in the applications menu' })
  await inMenu.click()
  await expect
    .poll(() => existsSync(entry) && readFileSync(entry, 'utf8'))
    .toMatch(/^Exec=".*" ".*" "--data" ".*" %u$/m)
  const picture = /^Icon=(.*)$/m.exec(readFileSync(entry, 'utf8'))?.[1] ?? ''
  expect(readFileSync(picture)).toEqual(readFileSync(join(import.meta.dirname, '../../resources/icon.png')))
  await expect.poll(() => desktop.recorded(({ protocols }) => protocols)).toContain('earmark')
  await inMenu.click()
  await expect.poll(() => existsSync(entry) || existsSync(picture)).toBe(false)
  rmSync(join(data, 'config'), { recursive: true })
  writeFileSync(join(data, 'config'), 'in the way')
  await login.click()
  await expect(page.getByText('The system did not accept this setting.')).toBeVisible()
  await expect(login).not.toBeChecked()

  const shown = () => desktop.recorded(({ tray }) => tray !== null)
  expect(await shown()).toBe(false)
  await settings.getByRole('switch', { name: 'Keep in the tray' }).click()
  await expect.poll(shown).toBe(true)
  await settings.getByRole('switch', { name: 'Keep in the tray' }).click()
  await expect.poll(shown).toBe(false)
  await closeDashboard(desktop).catch(() => {})
  expect(await desktop.ended, desktop.output()).toBe(0)
})

test.describe('the app', () => {
  test('leaves no process, lock or service file when it quits, and restores the position of its window', async ({
    start,
    data
  }) => {
    const first = await start()
    await dashboardOf(first)
    expect(existsSync(join(data, 'service.json'))).toBe(true)
    await first.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.setBounds({ x: 210, y: 120, width: 900, height: 640 })
    )
    await clickTray(first, 'quit').catch(() => {})
    expect(await first.ended, first.output()).toBe(0)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    const lock = new DatabaseSync(join(data, 'earmark.lock'))
    lock.exec('BEGIN EXCLUSIVE')
    lock.close()
    expect(() => process.kill(first.pid, 0)).toThrow()

    expect(JSON.parse(readFileSync(join(data, 'desktop/preferences.json'), 'utf8')).window.bounds.x).toBe(210)
    const second = await start()
    await second.page('/')
    const bounds = await second.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getBounds())
    )
    expect(bounds).toContainEqual({ x: 210, y: 120, width: 900, height: 640 })
  })

  test('starts hidden at login, which the menu turns on and off', async ({ start, data }) => {
    const desktop = await start({ args: ['--port', '0', '--hidden'] })
    await desktop.page('/capture')
    expect((await windowsOf(desktop)).dashboard).toBeUndefined()
    const file = join(data, 'config/autostart/app.earmark.Earmark.desktop')
    await clickTray(desktop, 'toggle-login')
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=".*" ".*" "--hidden" "--data" ".*"$/m)
    await clickTray(desktop, 'toggle-login')
    expect(existsSync(file)).toBe(false)
    rmSync(join(data, 'config'), { recursive: true })
    writeFileSync(join(data, 'config'), 'in the way')
    await clickTray(desktop, 'toggle-login')
    expect(await messagesOf(desktop)).toEqual(['The system did not accept this setting'])
    expect(await desktop.recorded(({ trayMenu }) => trayMenu?.getMenuItemById('toggle-login')?.checked)).toBe(false)
    await pressButton(desktop, 'OK')
    await clickTray(desktop, 'show')
    await dashboardOf(desktop)
  })
})

test.describe('a dialog offers what to do', () => {
  const dialog = (desktop: Desktop) =>
    expect.poll(() => desktop.recorded(({ dialogs }) => dialogs.map(({ message, buttons }) => [message, ...buttons])))

  test('if another program uses the port: use another port permanently', async ({ start, data }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const desktop = await start({ args: ['--port', String(port)] })
    await dialog(desktop).toEqual([['Another program uses Earmark’s port', 'Try Again', 'Use Another Port', 'Quit']])
    await pressButton(desktop, 'Try Again')
    await dialog(desktop).toHaveLength(1)
    await pressButton(desktop, 'Use Another Port')
    const page = await desktop.page('/')
    expect(new URL(page.url()).port).not.toBe(String(port))
    const settings = await page.evaluate(async () => (await fetch('/api/settings')).json())
    const shown = new URL(page.url()).port
    expect(String(settings.port)).toBe(shown)
    expect(JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')).url).toBe(`http://127.0.0.1:${shown}`)
    other.close()
  })

  test('if a terminal serves the library, or the library is damaged: try again', async ({ start, data }) => {
    const library = join(data, 'library.sqlite')
    const served = spawn(process.execPath, [program, 'serve', '--port', '0', '--no-fetch', '--data', data, '--json'])
    const ended = once(served, 'exit')
    await once(served.stdout, 'data')
    const desktop = await start()
    await dialog(desktop).toEqual([['Earmark is running already', 'Try Again', 'Quit']])
    const detail = await desktop.recorded(({ dialogs }) => dialogs[0]?.detail)
    expect(detail).toContain(`process ${served.pid}`)
    // The command as typed for this program, which is not in the PATH.
    expect(detail).toMatch(/or run \S.* login for a link/)
    expect(detail).not.toContain('use it: earmark login')
    served.kill('SIGTERM')
    await ended
    const whole = readFileSync(library)
    // The header identifies a library; the schema is overwritten.
    writeFileSync(library, Buffer.concat([whole.subarray(0, 100), Buffer.alloc(4000, 0xa5), whole.subarray(4100)]))
    const damaged = readFileSync(library)

    await pressButton(desktop, 'Try Again')
    await dialog(desktop).toEqual([['The library is damaged', 'Start Empty…', 'Show Data Folder', 'Try Again', 'Quit']])
    expect(readFileSync(library)).toEqual(damaged)
    await pressButton(desktop, 'Show Data Folder')
    await dialog(desktop).toHaveLength(1)
    expect(await desktop.recorded(({ opened }) => opened)).toEqual([data])
    writeFileSync(library, whole)
    await pressButton(desktop, 'Try Again')
    await dashboardOf(desktop)
  })

  test('if the library is from a newer Earmark: quit, and leave it unchanged', async ({ start, data }) => {
    execFileSync(process.execPath, [program, 'organizations', 'list', '--data', data])
    const file = join(data, 'library.sqlite')
    const library = new DatabaseSync(file)
    library.exec('PRAGMA user_version = 999999')
    library.close()
    const newer = readFileSync(file)
    const desktop = await start()
    await dialog(desktop).toEqual([['This library needs a newer Earmark', 'Show Data Folder', 'Quit']])
    await pressButton(desktop, 'Quit').catch(() => {})
    expect(await desktop.ended, desktop.output()).toBe(3)
    expect(readFileSync(file)).toEqual(newer)
  })

  test('if the file is no library: restore a backup', async ({ start, data }) => {
    const first = await start()
    const page = await first.page('/')
    await page.evaluate(async () => {
      const post = (path: string, body?: object) =>
        fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) })
        })
      await post('/api/bookmarks', { type: 'link', url: 'https://kept.example/', title: 'Kept' })
      await post('/api/backups')
    })
    await first.quit()
    writeFileSync(join(data, 'library.sqlite'), 'this was a library once '.repeat(400))
    const desktop = await start()
    const buttons = ['Restore Backup', 'Start Empty…', 'Show Data Folder', 'Try Again', 'Quit']
    await dialog(desktop).toEqual([['This file is not an Earmark library', ...buttons]])
    const [told] = await desktop.recorded(({ dialogs }) => dialogs.map(({ detail }) => detail))
    expect(told).toMatch(/newest good backup has 1 bookmark, .* It lacks what was saved or changed after that/)
    await pressButton(desktop, 'Start Empty…')
    await dialog(desktop).toContainEqual(['Start with an empty library?', 'Cancel', 'Start Empty'])
    await pressButton(desktop, 'Cancel')
    await dialog(desktop).toEqual([['This file is not an Earmark library', ...buttons]])
    await pressButton(desktop, 'Restore Backup')
    await dialog(desktop).toEqual([['Check your API keys', 'OK']])
    await pressButton(desktop, 'OK')
    await expect((await desktop.page('/')).getByText('Kept', { exact: true })).toBeVisible()
    expect(readdirSync(data).filter((name) => name.startsWith('replaced-'))).toHaveLength(1)
  })
})
