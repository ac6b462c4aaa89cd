import { PROFILE } from '../../contract/caller.ts'
import type { BookmarkFiles, BrowserFile } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { importLibrary } from './import-library.ts'

/** A browser's file with bookmarks that an import would add. */
export interface CountedFile extends BrowserFile {
  bookmarks: number
}

/** Counts the new bookmarks of each browser on this computer, most first. Leaves out files that cannot be read now. */
export async function countBrowserFiles(ports: Ports, files: BookmarkFiles): Promise<CountedFile[]> {
  const counted: CountedFile[] = []
  for (const found of await files.ofBrowsers()) {
    const bookmarks = await countNew(ports, files, found.file)
    if (bookmarks > 0) counted.push({ ...found, bookmarks })
  }
  return counted.sort((one, other) => other.bookmarks - one.bookmarks)
}

async function countNew(ports: Ports, files: BookmarkFiles, file: string): Promise<number> {
  try {
    return (await importLibrary(ports, PROFILE, await files.open(file), { dryRun: true })).imported
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}

/**
 * Opens a browser's file for an import.
 *
 * @throws Problem `not-found` if it is no file of a browser
 */
export async function openBrowserFile(files: BookmarkFiles, file: string): Promise<AsyncIterable<Uint8Array>> {
  const all = await files.ofBrowsers()
  if (!all.some((found) => found.file === file)) throw new Problem('not-found', 'No browser has this bookmark file.')
  return files.open(file)
}
