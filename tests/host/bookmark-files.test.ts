import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bookmarkSource, browserFiles } from '../../src-main/host/bookmark-files.ts'
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
  expect(await browserFiles({ platform, home, env: {} })).toEqual(expected)
})

test('without browsers no file is found', async () => {
  expect(await browserFiles({ platform: 'linux', home: tempFolder(), env: {} })).toEqual([])
})

test.runIf(process.platform !== 'win32')('a pipe without a writer and a folder are refused at once', async () => {
  const folder = tempFolder()
  const pipe = join(folder, 'bookmarks.html')
  execFileSync('mkfifo', [pipe])
  for (const [path = '', reason] of [
    [pipe, 'it is not a regular file'],
    [folder, 'it is a folder']
  ]) {
    await expect(bookmarkSource(path)).rejects.toMatchObject({
      code: 'not-found',
      message: `The file ${path} cannot be read: ${reason}.`
    })
  }
})
