import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asTyped, howToStart, NODE_FLAGS, ownProgram, serviceProgram } from '../../src-main/host/own-program.ts'
import { tempFolder } from '../support/temp-folder.ts'

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

describe('the command with which other programs start Earmark', () => {
  test.for([
    ['of a checkout', here, '/usr/bin/node', [join(ROOT, 'out/main/earmark.js')], false],
    ['of a checkout’s app', { ...packaged, defaultApp: true }, '/opt/Earmark/earmark', [ROOT], false],
    [
      'of a checkout’s app that npm start opened',
      { ...packaged, defaultApp: true, env: { EARMARK_NODE: '/usr/bin/node' } },
      '/usr/bin/node',
      [join(ROOT, 'out/main/earmark.js')],
      false
    ],
    ['of the installed app', packaged, '/opt/Earmark/earmark', [], true],
    [
      'of an AppImage, whose mount point changes',
      { ...packaged, execPath: '/tmp/.mount_1/earmark', env: appImage },
      '/home/a/Earmark.AppImage',
      [],
      true
    ],
    [
      'of the installed app, started by another AppImage',
      { ...packaged, env: { APPIMAGE: '/home/a/Cursor.AppImage', APPDIR: '/tmp/.mount_2' } },
      '/opt/Earmark/earmark',
      [],
      true
    ],
    [
      'of the installed app on Windows, where Electron writes to standard output',
      onWindows,
      'cmd.exe',
      ['/d', '/c', 'call', 'C:\\Users\\A B\\Earmark\\bin\\earmark.cmd'],
      true
    ]
  ] as const)('%s is right', ([, facts, command, args, isPackaged]) => {
    expect(ownProgram(facts)).toEqual({ command, args, packaged: isPackaged })
  })
})

test('the command of the service has Node’s memory flags, unless it is the app', () => {
  expect(serviceProgram(here).args).toEqual([...NODE_FLAGS, ...ownProgram(here).args])
  expect(serviceProgram(packaged)).toEqual(ownProgram(packaged))
  expect(serviceProgram(onWindows)).toEqual({ command: onWindows.execPath, args: [], packaged: true })
})

describe('advice names commands as typed', () => {
  test.for([
    ['in Earmark’s folder', here, 'Run: npm run -s earmark -- doctor --repair'],
    [
      'elsewhere',
      { ...here, env: { INIT_CWD: '/tmp' } },
      `Run: npm --prefix ${ROOT} run -s earmark -- doctor --repair`
    ],
    ['from a folder that is gone', { ...here, env: { INIT_CWD: '/nonexistent' } }, /^Run: npm --prefix /],
    ['of the installed app', packaged, 'Run: /opt/Earmark/earmark doctor --repair'],
    ['of the installed app on Windows', onWindows, 'Run: "C:\\Users\\A B\\Earmark\\bin\\earmark.cmd" doctor --repair'],
    [
      'for a path with a space',
      { ...packaged, execPath: '/My Apps/earmark' },
      "Run: '/My Apps/earmark' doctor --repair"
    ]
  ] as const)('%s', ([, facts, expected]) => {
    expect(asTyped('Run: earmark doctor --repair', facts)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected)
    )
  })

  test.runIf(process.platform !== 'win32')('after npm link by the name alone, unless another earmark is found', () => {
    const bin = tempFolder()
    const typed = () => asTyped('Run: earmark doctor', { ...here, env: { ...here.env, PATH: `/nonexistent:${bin}` } })
    writeFileSync(join(bin, 'earmark'), '')
    expect(typed()).toBe('Run: npm run -s earmark -- doctor')
    rmSync(join(bin, 'earmark'))
    symlinkSync(join(ROOT, 'src-main/cli/earmark.js'), join(bin, 'earmark'))
    expect(typed()).toBe('Run: earmark doctor')
    expect(statSync(join(bin, 'earmark')).mode & 0o111).not.toBe(0)
  })

  test('and does not change other words', () => {
    expect(asTyped('Earmark keys, earmark.log, earmark bookmarks', packaged)).toBe(
      'Earmark keys, earmark.log, earmark bookmarks'
    )
  })

  test('and tells a user of the app to open it', () => {
    expect(howToStart(packaged)).toBe('Open Earmark, and try again.')
    expect(howToStart(here)).toContain('npm start')
  })
})
