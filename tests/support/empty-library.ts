import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastSeen } from '../../src-main/store/files/last-seen.ts'
import { openLibraryFile } from '../../src-main/store/files/open-library-file.ts'

let empty: Buffer | undefined

/**
 * Puts an empty library into a folder that has none, as a service leaves it that was closed: migrating each anew would
 * be most of what many tests do.
 *
 * @returns the library's file
 */
export function putEmptyLibrary(folder: string): string {
  const file = join(folder, 'library.sqlite')
  if (existsSync(file)) return file
  empty ??= makeEmptyLibrary()
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, empty, { mode: 0o600 })
  lastSeen(folder).closed()
  return file
}

function makeEmptyLibrary(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-empty-'))
  const file = join(folder, 'library.sqlite')
  openLibraryFile(file).close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}
