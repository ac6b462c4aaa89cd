import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { browserFiles } from '../../src-main/host/bookmark-files.ts'
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
] as const)('on %s the files of browsers are found, and no others', async (platform, ...files) => {
  const home = tempFolder()
  const wanted = files.map((file) => join(home, file))
  const other = join(dirname(dirname(wanted[0] ?? '')), 'System Profile', 'Bookmarks')
  for (const file of [...wanted, other]) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  expect(await browserFiles({ platform, home, env: {} })).toEqual(wanted)
})

test('without browsers there are none', async () => {
  expect(await browserFiles({ platform: 'linux', home: tempFolder(), env: {} })).toEqual([])
})
