import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, screenshots, test } from '../support/desktop-test.ts'
import type { Desktop } from '../support/electron/desktop.ts'

/** The app they share starts once. */
test.describe.configure({ mode: 'default' })

test.describe.configure({ timeout: 60_000 })
test.use({ trace: 'off' })

/** Clicks an item of the tray's menu. */
function clickTray(desktop: Desktop, id: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.trayMenu.getMenuItemById('${id}').click()`) as never)
}

/** The dashboard's window, as the app sees it. */
function dashboard(desktop: Desktop) {
  return desktop.run(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows().filter((one) => one.getBounds().width !== 520)
    return window ? { visible: window.isVisible() } : undefined
  })
}

function pressButton(desktop: Desktop, label: string): Promise<unknown> {
  return desktop.recorded(new Function('recorded', `recorded.dialogs.pop().press('${label}')`) as never)
}

test.describe('a running app', () => {
  test('shows the dashboard, logged in without a token in any address', async ({ desktop }) => {
    const page = await desktop.page('/')
    await expect(page.getByRole('navigation')).toBeVisible()
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const history = await page.evaluate(() => performance.getEntriesByType('navigation').map((one) => one.name))
    expect(history).toEqual([page.url()])
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(await page.evaluate(() => sessionStorage.getItem('earmark-tab'))).toMatch(/^[\w-]{43}$/)
    await screenshots(page, 'window')
  })

  test('opens foreign pages in the browser, and its window stays', async ({ desktop }) => {
    const page = await desktop.page('/')
    await expect(page.getByRole('navigation')).toBeVisible()
    const { url } = { url: page.url() }
    await page.evaluate(() => void window.open('https://a.example/opened'))
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = 'https://a.example/linked'
      document.body.append(link)
      link.click()
    })
    const opened = () => desktop.recorded((recorded) => recorded.opened)
    await expect.poll(opened).toEqual(['https://a.example/opened', 'https://a.example/linked'])
    await page.evaluate(() => void window.open('file:///etc/passwd'))
    await page.evaluate(() => {
      location.href = 'javascript-not:alert(1)'
    })
    expect(page.url()).toBe(url)
    expect(await opened()).toHaveLength(2)
  })

  test('gives its pages no permission, and copies for them', async ({ desktop }) => {
    const page = await desktop.page('/')
    const refused = await page.evaluate(() => navigator.clipboard.writeText('x').then(String, (error) => error.name))
    expect(refused).toBe('NotAllowedError')
    await page.evaluate(() =>
      (globalThis as { earmarkDesktop?: { copyText(text: string): void } }).earmarkDesktop?.copyText('from the page')
    )
    expect(await desktop.run(({ clipboard }) => clipboard.readText())).toBe('from the page')
  })

  test('refuses calls of the wrong shape, and calls that are another window’s', async ({ desktop }) => {
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

  test('stays in the tray when its window closes, says so once, and comes back', async ({ desktop }) => {
    await (await desktop.page('/')).getByRole('navigation').waitFor()
    const close = () =>
      desktop.run(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((one) => one.isVisible())
          ?.close()
      )
    await close()
    expect(await dashboard(desktop)).toEqual({ visible: false })
    expect(await desktop.recorded(({ dialogs }) => dialogs.map((one) => one.message))).toEqual([
      'Earmark stays in the tray'
    ])
    await pressButton(desktop, 'OK')
    await clickTray(desktop, 'show')
    expect(await dashboard(desktop)).toEqual({ visible: true })
    await close()
    expect(await desktop.recorded(({ dialogs }) => dialogs.length)).toBe(0)
    await desktop.recorded(({ tray }) => tray?.click())
    expect(await dashboard(desktop)).toEqual({ visible: true })
  })

  test('gets a new session by itself where the old one ended', async ({ desktop }) => {
    const page = await desktop.page('/')
    await page.getByRole('navigation').waitFor()
    const before = await page.evaluate(() => sessionStorage.getItem('earmark-tab'))
    await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }))
    await page.evaluate(() => fetch('/api/status'))
    await expect(page.getByRole('navigation')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('earmark-tab')).catch(() => before))
      .not.toBe(before)
    expect(await page.evaluate(async () => (await fetch('/api/status')).status)).toBe(200)
  })
})

test.describe('the app', () => {
  test('is brought to the front by a second one, which ends', async ({ start }) => {
    const desktop = await start()
    await (await desktop.page('/')).getByRole('navigation').waitFor()
    await desktop.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((one) => one.isVisible())
        ?.hide()
    )
    const second = await start()
    expect(await second.ended).toBe(0)
    await expect.poll(() => dashboard(desktop)).toEqual({ visible: true })
  })

  test('leaves no process, no lock and no service file when it quits', async ({ start, data }) => {
    const desktop = await start()
    await (await desktop.page('/')).getByRole('navigation').waitFor()
    expect(existsSync(join(data, 'service.json'))).toBe(true)
    await clickTray(desktop, 'quit').catch(() => {})
    expect(await desktop.ended, desktop.output()).toBe(0)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    const lock = new DatabaseSync(join(data, 'earmark.lock'))
    lock.exec('BEGIN EXCLUSIVE')
    lock.close()
    expect(() => process.kill(desktop.pid, 0)).toThrow()
  })

  test('remembers where its window was', async ({ start, data }) => {
    const first = await start()
    await (await first.page('/')).getByRole('navigation').waitFor()
    await first.run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((one) => one.isVisible())
        ?.setBounds({ x: 210, y: 120, width: 900, height: 640 })
    )
    await first.quit()
    const second = await start()
    await second.page('/')
    const bounds = await second.run(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.getBounds()))
    expect(bounds).toContainEqual({ x: 210, y: 120, width: 900, height: 640 })
    expect(JSON.parse(readFileSync(join(data, 'desktop/preferences.json'), 'utf8')).window.bounds.x).toBe(210)
  })

  test('starts hidden when it is started at login, which its menu turns on and off', async ({ start, data }) => {
    const desktop = await start({ args: ['--port', '0', '--hidden'] })
    await desktop.page('/capture')
    expect(await dashboard(desktop)).toBeUndefined()
    const file = join(data, 'config/autostart/app.earmark.Earmark.desktop')
    await clickTray(desktop, 'toggle-login')
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=".*" ".*" "--hidden"$/m)
    await clickTray(desktop, 'toggle-login')
    expect(existsSync(file)).toBe(false)
    await clickTray(desktop, 'show')
    await (await desktop.page('/')).getByRole('navigation').waitFor()
  })
})

test('without a tray, closing the window quits', async ({ start }) => {
  const desktop = await start({ env: { XDG_CURRENT_DESKTOP: 'GNOME' } })
  await (await desktop.page('/')).getByRole('navigation').waitFor()
  expect(await desktop.recorded(({ tray }) => tray)).toBeNull()
  await desktop
    .run(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((one) => one.isVisible())
        ?.close()
    )
    .catch(() => {})
  expect(await desktop.ended, desktop.output()).toBe(0)
})

test.describe('what keeps it from starting is said, with what to do', () => {
  const dialog = (desktop: Desktop) =>
    expect.poll(() => desktop.recorded(({ dialogs }) => dialogs.map(({ message, buttons }) => [message, ...buttons])))

  test('another program on its port', async ({ start }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const desktop = await start({ args: ['--port', String(port)] })
    await dialog(desktop).toEqual([['Another program uses Earmark’s port', 'Try Again', 'Use Another Port', 'Quit']])
    other.close()
    await once(other, 'close')
    await pressButton(desktop, 'Try Again')
    expect(new URL((await desktop.page('/')).url()).port).toBe(String(port))
  })

  test('another program on its port, which it may move away from for good', async ({ start, data }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const desktop = await start({ args: ['--port', String(port)] })
    await dialog(desktop).toHaveLength(1)
    await pressButton(desktop, 'Use Another Port')
    const page = await desktop.page('/')
    expect(new URL(page.url()).port).not.toBe(String(port))
    const settings = await page.evaluate(async () => (await fetch('/api/settings')).json())
    expect(String(settings.port)).toBe(new URL(page.url()).port)
    expect(JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')).url).toBe(new URL(page.url()).origin)
    other.close()
  })

  test('a library from a newer Earmark, which stays as it is', async ({ start, data }) => {
    const first = await start()
    await first.page('/')
    await first.quit()
    const library = new DatabaseSync(join(data, 'library.sqlite'))
    library.exec('PRAGMA user_version = 999999')
    library.close()
    const desktop = await start()
    await dialog(desktop).toEqual([['This library needs a newer Earmark', 'Show Data Folder', 'Quit']])
    await pressButton(desktop, 'Show Data Folder')
    await dialog(desktop).toHaveLength(1)
    expect(await desktop.recorded(({ opened }) => opened)).toEqual([data])
    await pressButton(desktop, 'Quit').catch(() => {})
    expect(await desktop.ended, desktop.output()).toBe(1)
  })

  test('a library file that is something else', async ({ start, data }) => {
    writeFileSync(join(data, 'library.sqlite'), 'this was a library once '.repeat(400))
    const desktop = await start()
    await dialog(desktop).toEqual([['This file is no Earmark library', 'Show Data Folder', 'Quit']])
  })
})
