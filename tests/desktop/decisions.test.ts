import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Problem } from '../../src-main/contract/problem.ts'
import { startProblem } from '../../src-main/desktop/dialogs.ts'
import { openPreferences } from '../../src-main/desktop/settings.ts'
import { autostartEntry, menuEntry } from '../../src-main/desktop/system-entries.ts'
import { capturePlace, onClosing, trayShows, windowPlace } from '../../src-main/desktop/window-rules.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Without its runtime the package throws when it is loaded. These tests need nothing of it.
vi.mock('electron', () => ({}))

describe('closing the window', () => {
  test.for([
    ['linux', true, false, 'hide'],
    ['linux', false, false, 'quit'],
    ['win32', true, false, 'hide'],
    ['win32', false, false, 'quit'],
    ['darwin', false, false, 'hide'],
    ['darwin', true, true, 'quit'],
    ['linux', true, true, 'quit']
  ] as const)('on %s, tray %s, quitting %s: %s', ([platform, tray, quitting, outcome]) => {
    expect(onClosing({ platform, tray, quitting })).toBe(outcome)
  })
})

describe('a tray is expected', () => {
  test.for([
    ['darwin', undefined, true],
    ['win32', undefined, true],
    ['linux', 'KDE', true],
    ['linux', 'ubuntu:GNOME', true],
    ['linux', 'X-Cinnamon', true],
    ['linux', 'GNOME', false],
    ['linux', 'sway', false],
    ['linux', undefined, false]
  ] as const)('on %s with desktop %s: %s', ([platform, desktop, shows]) => {
    expect(trayShows(platform, { XDG_CURRENT_DESKTOP: desktop })).toBe(shows)
  })
})

describe('the window opens', () => {
  const screen = { x: 0, y: 24, width: 1440, height: 876 }
  const saved = (x: number, y: number) => ({ bounds: { x, y, width: 1000, height: 700 }, maximized: false })

  test('where it was', () => {
    expect(windowPlace(saved(100, 50), [screen])).toEqual({ x: 100, y: 50, width: 1000, height: 700 })
  })

  test('on the second screen, where it was', () => {
    const second = { x: 1440, y: 0, width: 1920, height: 1080 }
    expect(windowPlace(saved(1500, 10), [screen, second])).toMatchObject({ x: 1500, y: 10 })
  })

  test('at the system’s default place if that screen is gone or its title bar unreachable', () => {
    expect(windowPlace(saved(1500, 10), [screen])).toEqual({ width: 1000, height: 700 })
    expect(windowPlace(saved(-950, 50), [screen])).toEqual({ width: 1000, height: 700 })
    expect(windowPlace(saved(100, -400), [screen])).toEqual({ width: 1000, height: 700 })
  })

  test('never larger than the screen', () => {
    expect(windowPlace(undefined, [{ x: 0, y: 0, width: 1024, height: 600 }])).toEqual({ width: 1024, height: 600 })
  })

  test('for capture at the top center of the pointer’s screen', () => {
    const screen = { x: 1440, y: 0, width: 1920, height: 1080 }
    expect(capturePlace(screen, 'field')).toMatchObject({ x: 2140, y: 72, width: 520 })
    expect(capturePlace(screen, 'list')).toMatchObject({ x: 2140, y: 72, width: 520, height: 452 })
    expect(capturePlace({ ...screen, height: 480 }, 'list')).toMatchObject({ y: 28 })
  })
})

describe('a problem at start', () => {
  const ways = (error: unknown) => startProblem(error).ways.map(({ way }) => way)

  test('is shown in its own words with advice', () => {
    const told = startProblem(new Problem('port-taken', 'Port 20727 is taken.'))
    expect(told).toMatchObject({ message: expect.stringContaining('port'), detail: 'Port 20727 is taken.' })
    expect(ways(new Problem('port-taken', ''))).toEqual(['retry', 'other-port', 'quit'])
    expect(ways(new Problem('store-too-new', ''))).toEqual(['show-folder', 'quit'])
    expect(ways(new Problem('library-damaged', ''))).toEqual(['show-folder', 'retry', 'quit'])
    expect(ways(new Problem('library-in-use', ''))).toEqual(['retry', 'quit'])
  })

  test('that is a bug is shown without its message', () => {
    const told = startProblem(new Error('SELECT secret FROM x at /home/me'))
    expect(JSON.stringify(told)).not.toMatch(/SELECT|home/)
    expect(ways(new Error('x'))).toEqual(['show-folder', 'retry', 'quit'])
  })
})

describe('preferences', () => {
  test('are remembered', () => {
    const folder = tempFolder()
    openPreferences(folder).write({ shortcut: null, findShortcut: 'Super+F', trayExplained: true })
    expect(openPreferences(folder).read()).toEqual({ shortcut: null, findShortcut: 'Super+F', trayExplained: true })
  })

  test.for(['', '{', '[]', 'null', '{"shortcut":5,"window":{"bounds":{"x":"a"}},"tray":"yes"}'])(
    'that read %s are the usual ones',
    (text) => {
      const folder = tempFolder()
      writeFileSync(join(folder, 'preferences.json'), text)
      expect(openPreferences(folder).read()).toEqual({
        shortcut: 'CommandOrControl+Shift+Y',
        findShortcut: null,
        trayExplained: false
      })
    }
  )

  test('that cannot be written apply until quitting', () => {
    const preferences = openPreferences(join(tempFolder(), 'missing'))
    preferences.write({ tray: false })
    expect(preferences.read().tray).toBe(false)
  })
})

test('a login item quotes any path', () => {
  const entry = autostartEntry(['/opt/My "Apps"/100%/$HOME/ear\\mark', '--hidden'])
  expect(entry).toContain('Exec="/opt/My \\\\"Apps\\\\"/100%%/\\\\$HOME/ear\\\\\\\\mark" "--hidden"\n')
  expect(entry.startsWith('[Desktop Entry]\nType=Application\n')).toBe(true)
})

test('a link handler quotes any path', () => {
  const entry = menuEntry(['/opt/50% off/Earmark.AppImage'], '/home/me/icon.png')
  expect(entry).toContain('Exec="/opt/50%% off/Earmark.AppImage" %u\nIcon=/home/me/icon.png\n')
  expect(entry).toContain('\nMimeType=x-scheme-handler/earmark;\n')
})
