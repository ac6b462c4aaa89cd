import { Problem } from '../../contract/problem.ts'
import { asProblem } from '../connection.ts'
import { allWrites } from '../families.ts'
import { openLibraryFile } from '../files/open-library-file.ts'
import { indexWork } from '../search/indexing.ts'
import type { Work } from './work.ts'

/** Without a write for so long, in milliseconds, nobody waits for one. */
const QUIET = 500

/** Between two steps of a merge, in milliseconds. */
const REST = 5

/**
 * Opens the only writing connection. It answers one call after the other, each when its transaction is synced to disk,
 * and in between does what was left to the background, though not while an import is coming in. While nobody writes it
 * merges the indexes.
 */
export function openWriting(file: string): Work {
  const db = openLibraryFile(file)
  const writes = allWrites(db)
  const background = indexWork(db)
  let importedAt = Number.NEGATIVE_INFINITY
  let calledAt = Number.NEGATIVE_INFINITY
  const isQuiet = () => performance.now() - calledAt >= QUIET
  const noted =
    <Args extends unknown[], Answer>(work: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      const answer = work(...args)
      importedAt = performance.now()
      return answer
    }
  const calls = {
    ...writes,
    importBookmarks: noted(writes.importBookmarks),
    /** On this connection, so that what is written meanwhile is in the copy and does not make it begin anew. */
    copyTo: (target: string) => db.backup(target)
  }
  let closed = false
  let rebuilding = false
  let merging: NodeJS.Timeout | undefined

  /** A batch between two messages, until nothing is left. */
  function rebuild(): void {
    if (!closed && performance.now() - importedAt < QUIET) {
      rebuilding = true
      setTimeout(rebuild, QUIET).unref()
      return
    }
    rebuilding = !closed && unlessFull(() => background.rebuildSome(isQuiet()) || background.rekeySome())
    if (rebuilding) setImmediate(rebuild)
    else mergeIn(QUIET)
  }

  function mergeIn(milliseconds: number): void {
    clearTimeout(merging)
    if (!closed && !rebuilding) merging = setTimeout(merge, milliseconds).unref()
  }

  function merge(): void {
    if (!rebuilding && unlessFull(background.mergeSome)) mergeIn(REST)
  }

  rebuild()
  return {
    calls,
    afterwards() {
      calledAt = performance.now()
      if (!rebuilding && background.hasStale()) rebuild()
      else mergeIn(QUIET)
    },
    close() {
      closed = true
      clearTimeout(merging)
      db.close()
    }
  }
}

/** What fails, for want of space, is tried again with the next write or at the next start. */
function unlessFull(work: () => boolean): boolean {
  try {
    return work()
  } catch (error) {
    if (asProblem(error) instanceof Problem) return false
    throw error
  }
}
