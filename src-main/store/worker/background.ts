import { Problem } from '../../contract/problem.ts'
import { asProblem, type WriteConnection, withRoom } from '../../database/connection.ts'
import { indexWork } from '../search/indexing.ts'

/** Without a write for so long, in milliseconds, nobody waits for one. */
const QUIET_MS = 500

/** Between two steps of a merge, in milliseconds. */
const REST_MS = 5

/**
 * Does what was left to the background, a batch between two writes, though not while an import is coming in. While nobody
 * writes it merges the indexes.
 */
export function startBackground(db: WriteConnection) {
  const work = indexWork(db)
  let importedAt = Number.NEGATIVE_INFINITY
  let calledAt = Number.NEGATIVE_INFINITY
  let stopped = false
  let rebuilding = false
  let merging: NodeJS.Timeout | undefined

  /** A batch between two messages, until nothing is left. */
  function rebuild(): void {
    if (!stopped && performance.now() - importedAt < QUIET_MS) {
      rebuilding = true
      setTimeout(rebuild, QUIET_MS).unref()
      return
    }
    const isQuiet = performance.now() - calledAt >= QUIET_MS
    rebuilding = !stopped && unlessFull(db, () => work.rebuildSome(isQuiet) || work.rekeySome())
    if (rebuilding) setImmediate(rebuild)
    else mergeIn(QUIET_MS)
  }

  function mergeIn(milliseconds: number): void {
    clearTimeout(merging)
    if (!stopped && !rebuilding) merging = setTimeout(merge, milliseconds).unref()
  }

  function merge(): void {
    if (!rebuilding && unlessFull(db, work.mergeSome)) mergeIn(REST_MS)
  }

  rebuild()
  return {
    noteImport(): void {
      importedAt = performance.now()
    },
    afterCall(): void {
      calledAt = performance.now()
      if (!rebuilding && work.hasStale()) rebuild()
      else mergeIn(QUIET_MS)
    },
    stop(): void {
      stopped = true
      clearTimeout(merging)
    }
  }
}

/** Returns false where the disk is full: the work is tried again with the next write or at the next start. */
function unlessFull(db: WriteConnection, work: () => boolean): boolean {
  try {
    return withRoom(db, work)
  } catch (error) {
    if (asProblem(error) instanceof Problem) return false
    throw error
  }
}
