import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { BROWSERS, type Browser, browserFiles, isInstalled } from '../../src-main/integrations/browsers.ts'
import type { Machine } from '../../src-main/integrations/files.ts'
import { tempFolder } from '../support/temp-folder.ts'

test.each([
  ['linux', '.config/google-chrome/Default/Bookmarks', '.mozilla/firefox/x.default/places.sqlite'],
  [
    'darwin',
    'Library/Application Support/Google/Chrome/Profile 1/Bookmarks',
    'Library/Application Support/Firefox/Profiles/x/places.sqlite'
  ],
  [
    'win32',
    'AppData/Local/Microsoft/Edge/User Data/Default/Bookmarks',
    'AppData/Roaming/Mozilla/Firefox/Profiles/x/places.sqlite'
  ]
] as const)('on %s the bookmark files of browsers are found', async (platform, ...files) => {
  const home = tempFolder()
  const expected = files.map((file) => join(home, file))
  const other = join(dirname(dirname(expected[0] ?? '')), 'System Profile', 'Bookmarks')
  for (const file of [...expected, other]) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  expect(await pathsOn({ platform, home, env: {} })).toEqual(expected)
})

test('Firefox 147 on Linux has its profiles in the configuration folder', async () => {
  const home = tempFolder()
  const machine = { platform: 'linux', home, env: { XDG_CONFIG_HOME: join(home, 'xdg') } } as const
  const file = join(home, 'xdg/mozilla/firefox/x.default-release/places.sqlite')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  expect(await browserFiles(machine)).toEqual([{ browser: 'Firefox', file }])
  const firefox = BROWSERS.find(({ id }) => id === 'firefox') as Browser
  expect(isInstalled(firefox, machine)).toBe(true)
})

test('without browsers no file is found', async () => {
  expect(await browserFiles({ platform: 'linux', home: tempFolder(), env: {} })).toEqual([])
})

test('on Linux the files of sandboxed browsers and of Vivaldi are found', async () => {
  const home = tempFolder()
  const expected = [
    '.config/vivaldi/Default/Bookmarks',
    'snap/chromium/common/chromium/Default/Bookmarks',
    '.var/app/org.mozilla.firefox/.mozilla/firefox/x/places.sqlite',
    '.var/app/org.mozilla.firefox/config/mozilla/firefox/x/places.sqlite',
    'snap/firefox/common/.mozilla/firefox/x/places.sqlite'
  ].map((file) => join(home, file))
  for (const file of expected) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  expect(await pathsOn({ platform: 'linux', home, env: {} })).toEqual(expected)
})

async function pathsOn(machine: Machine): Promise<string[]> {
  return (await browserFiles(machine)).map(({ file }) => file)
}
