import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { asTyped, howToStart, NODE_FLAGS, ownProgram, serviceProgram } from '../../src-main/host/own-program.ts'

const ROOT = join(import.meta.dirname, '../..')
const here = {
  platform: 'linux' as const,
  execPath: '/usr/bin/node',
  env: { INIT_CWD: ROOT },
  cwd: () => ROOT,
  versions: {}
}
const packaged = { ...here, execPath: '/opt/Earmark/earmark', versions: { electron: '45.4.1' } }
const onWindows = { ...packaged, platform: 'win32' as const, execPath: 'C:\\Users\\A B\\Earmark\\Earmark.exe' }
const appImage = { APPIMAGE: '/home/a/Earmark.AppImage', APPDIR: '/tmp/.mount_1' }

describe('other programs start it', () => {
  test.for([
    ['of a checkout', here, '/usr/bin/node', [join(ROOT, 'out/main/earmark.js')], false],
    ['of a checkout’s window', { ...packaged, defaultApp: true }, '/opt/Earmark/earmark', [ROOT], false],
    [
      'of a checkout’s window that npm start opened',
      { ...packaged, defaultApp: true, env: { EARMARK_NODE: '/usr/bin/node' } },
      '/usr/bin/node',
      [join(ROOT, 'out/main/earmark.js')],
      false
    ],
    ['installed', packaged, '/opt/Earmark/earmark', [], true],
    [
      'as an AppImage, which is mounted elsewhere each time',
      { ...packaged, execPath: '/tmp/.mount_1/earmark', env: appImage },
      '/home/a/Earmark.AppImage',
      [],
      true
    ],
    [
      'installed, and started from within another AppImage',
      { ...packaged, env: { APPIMAGE: '/home/a/Cursor.AppImage', APPDIR: '/tmp/.mount_2' } },
      '/opt/Earmark/earmark',
      [],
      true
    ],
    [
      'installed on Windows, where Electron soils standard output',
      onWindows,
      'cmd.exe',
      ['/d', '/c', 'call', 'C:\\Users\\A B\\Earmark\\bin\\earmark.cmd'],
      true
    ]
  ] as const)('%s', ([, facts, command, args, isPackaged]) => {
    expect(ownProgram(facts)).toEqual({ command, args, packaged: isPackaged })
  })
})

describe('a service keeps little for new objects', () => {
  test('where Node starts it', () => {
    expect(serviceProgram(here).args).toEqual([...NODE_FLAGS, ...ownProgram(here).args])
    expect(serviceProgram(packaged)).toEqual(ownProgram(packaged))
    expect(serviceProgram(onWindows)).toEqual({ command: onWindows.execPath, args: [], packaged: true })
  })

  test.for(['start', 'earmark'] as const)('as npm run %s starts it', (name) => {
    expect(manifest.scripts[name]).toMatch(`node ${NODE_FLAGS.join(' ')} src-main/`)
  })
})

describe('advice names commands as a person types them', () => {
  test.for([
    ['in Earmark’s folder', here, 'Run: npm run -s earmark -- doctor --repair'],
    [
      'elsewhere',
      { ...here, env: { INIT_CWD: '/tmp' } },
      `Run: npm --prefix ${ROOT} run -s earmark -- doctor --repair`
    ],
    ['where that folder is gone', { ...here, env: { INIT_CWD: '/nonexistent' } }, /^Run: npm --prefix /],
    ['for the installed app', packaged, 'Run: /opt/Earmark/earmark doctor --repair'],
    ['for it on Windows', onWindows, 'Run: "C:\\Users\\A B\\Earmark\\bin\\earmark.cmd" doctor --repair'],
    [
      'for a path with a space',
      { ...packaged, execPath: '/My Apps/earmark' },
      "Run: '/My Apps/earmark' doctor --repair"
    ]
  ] as const)('%s', ([, facts, told]) => {
    expect(asTyped('Run: earmark doctor --repair', facts)).toEqual(
      typeof told === 'string' ? told : expect.stringMatching(told)
    )
  })

  test('and leaves what is no command', () => {
    expect(asTyped('Earmark keys, earmark.log, earmark bookmarks', packaged)).toBe(
      'Earmark keys, earmark.log, earmark bookmarks'
    )
  })

  test('the installed app is opened, and nobody there is sent to a folder of sources', () => {
    expect(howToStart(packaged)).toBe('Open Earmark, and try again.')
    expect(howToStart(here)).toContain('npm start')
  })
})
