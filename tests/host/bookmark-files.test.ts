import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bookmarkSource } from '../../src-main/host/bookmark-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

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
