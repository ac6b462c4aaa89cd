import type { LibraryEvent } from '../contract/change.ts'
import { Problem } from '../contract/problem.ts'
import { asProblem, type WriteConnection, withRoom } from '../database/connection.ts'
import { anyToIndex, indexMerge, searchIndex } from '../search/sql/search-index.ts'
import { rekeyBatch } from './bookmarks/page-keys.ts'
import { applyDeferredRules, hasDeferredRules } from './bookmarks/rules.ts'
import type { Written } from './calls.ts'

/** Indexing waits for this long after an import's batch, and merging after any write. */
const QUIET_MS = 500

/** Maximum number of already indexed bookmarks in a batch of deferred rules: those from the trash, and edited ones. */
const RULES_BATCH = 200

/** The pause between two steps of a merge. */
const MERGE_PAUSE_MS = 5

/** Indexes a batch of the bookmarks that wait for it, and applies rules to them. Returns their number; 0 if none waits. */
export function indexBatch(db: WriteConnection): Written<number> {
  const { count, events } = indexAndApplyRules(db)
  return { answer: count, events }
}

/** The number of bookmarks that were indexed or got their rules, and the events of changes by rules. */
interface IndexedBatch {
  count: number
  events: LibraryEvent[]
}

function indexAndApplyRules(db: WriteConnection, idle = false): IndexedBatch {
  // Rules double the time of a batch, and a large batch already takes as long as writes may wait.
  const rowIds = searchIndex(db).indexBatch(idle && !hasDeferredRules(db))
  const oldest = rowIds.at(-1)
  if (oldest === undefined) return applyDeferredRules(db, 0, RULES_BATCH, Date.now())
  const { events } = applyDeferredRules(db, oldest, rowIds.length, Date.now())
  return { count: rowIds.length, events }
}

/**
 * Returns the background work on the index, in steps. Each returns false or 0 if nothing remains.
 *
 * @param emit gets the events of changes by rules, after they are on disk
 */
export function indexWork(db: WriteConnection, emit: (events: LibraryEvent[]) => void = () => {}) {
  const step = db.transaction(indexAndApplyRules)

  return {
    indexBatch(idle = false): number {
      const { count, events } = step(db, idle)
      if (events.length > 0) emit(events)
      return count
    },
    rekeyBatch: () => db.transaction(rekeyBatch)(db),
    ...indexMerge(db)
  }
}

/** Indexes in batches between two writes, but not during an import. When nothing is written, it merges the indexes. */
export function startIndexing(db: WriteConnection, emit: (events: LibraryEvent[]) => void) {
  const work = indexWork(db, emit)
  let importedAt = Number.NEGATIVE_INFINITY
  let calledAt = Number.NEGATIVE_INFINITY
  let stopped = false
  let indexing = false
  let mergeTimer: NodeJS.Timeout | undefined

  function index(): void {
    if (!stopped && performance.now() - importedAt < QUIET_MS) {
      indexing = true
      setTimeout(index, QUIET_MS).unref()
      return
    }
    const isQuiet = performance.now() - calledAt >= QUIET_MS
    indexing = !stopped && unlessFull(db, () => work.indexBatch(isQuiet) > 0 || work.rekeyBatch())
    if (indexing) setImmediate(index)
    else mergeAfter(QUIET_MS)
  }

  function mergeAfter(milliseconds: number): void {
    clearTimeout(mergeTimer)
    if (!stopped && !indexing) mergeTimer = setTimeout(merge, milliseconds).unref()
  }

  function merge(): void {
    if (!indexing && unlessFull(db, work.mergeStep)) mergeAfter(MERGE_PAUSE_MS)
  }

  index()
  return {
    noteImport(): void {
      importedAt = performance.now()
    },
    afterCall(): void {
      calledAt = performance.now()
      if (!indexing && (anyToIndex(db) || hasDeferredRules(db))) index()
      else mergeAfter(QUIET_MS)
    },
    stop(): void {
      stopped = true
      clearTimeout(mergeTimer)
    }
  }
}

/** Returns false if the disk is full: the work is tried again after the next write or at the next start. */
function unlessFull(db: WriteConnection, work: () => boolean): boolean {
  try {
    return withRoom(db, work)
  } catch (error) {
    if (asProblem(error) instanceof Problem) return false
    throw error
  }
}
