import { setImmediate } from 'node:timers/promises'
import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft } from '../../contract/library-import.ts'
import { startThread, type Thread } from './thread.ts'
import type { Writes } from './writes.ts'

/** Drafts a message to the thread: a few milliseconds of the event loop. */
const STAGED = 250

/** The writes as the rest of the process sees them, answered once the change is on disk. */
export type Writer = Thread<Writes & Copies>

/** Copies the library to a file, bit by bit between other calls. */
interface Copies {
  copyTo(file: string): Promise<unknown>
}

/**
 * Starts the writing thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export function startWriter(file: string): Promise<Writer> {
  return startThread<Writes & Copies>('writing', file)
}

/**
 * Imports drafts in one transaction. They are handed over bit by bit, one import's after the other's, while the thread
 * may still be busy with those before.
 */
export function createImporter(writer: Writer) {
  let handing: Promise<unknown> = Promise.resolve()

  async function handOver(importId: number, drafts: ImportDraft[]) {
    for (let at = 0; at < drafts.length; at += STAGED) {
      writer.stageDrafts(importId, drafts.slice(at, at + STAGED)).catch(() => {}) // then the import fails too
      await setImmediate()
    }
    const statuses = writer.importStaged(importId)
    statuses.catch(() => {}) // told to whoever waits for it
    return { statuses }
  }

  return async (importId: number, drafts: ImportDraft[]): Promise<SavedBookmark['status'][]> => {
    const handed = handing.then(() => handOver(importId, drafts))
    handing = handed.catch(() => {})
    return (await handed).statuses
  }
}
