import type { LibraryEvent } from '../contract/change.ts'
import { Problem } from '../contract/problem.ts'
import { nearPageHash, ownPageHash, PAGE_KEY_RULES, pageKey } from '../core/page-key.ts'
import { asProblem, type ReadConnection, type WriteConnection, withRoom } from '../database/connection.ts'
import { readRow, readRows, readValue, run } from '../database/sql.ts'
import { anyToIndex, indexMerge, searchIndex } from '../search/sql/search-index.ts'
import { applyDeferredRules, hasDeferredRules } from './bookmarks/rules.ts'
import type { Written } from './calls.ts'

/** How long indexing waits after a batch of an import, and merging of indexes after any write, in ms. */
const QUIET_MS = 500

/** Maximum number of already indexed bookmarks in a batch of deferred rules, such as restored and edited bookmarks. */
const RULES_BATCH = 200

/** The pause between two steps of a merge of indexes, in ms. */
const MERGE_PAUSE_MS = 5

/** Indexes a batch of unindexed bookmarks and applies rules to them. Returns their number; 0 if none remain. */
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
 * @param emit receives the events of changes by rules, after these changes are on disk
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

/** Indexes in batches between writes, but not during an import. Merges the indexes when there are no writes. */
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
    indexing = !stopped && unlessProblem(db, () => work.indexBatch(isQuiet) > 0 || work.rekeyBatch())
    if (indexing) setImmediate(index)
    else mergeAfter(QUIET_MS)
  }

  function mergeAfter(milliseconds: number): void {
    clearTimeout(mergeTimer)
    if (!stopped && !indexing) mergeTimer = setTimeout(merge, milliseconds).unref()
  }

  function merge(): void {
    if (!indexing && unlessProblem(db, work.mergeStep)) mergeAfter(MERGE_PAUSE_MS)
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

/** Returns false on a Problem, such as a full disk. The work is tried again after the next write or at the next start. */
function unlessProblem(db: WriteConnection, work: () => boolean): boolean {
  try {
    return withRoom(db, work)
  } catch (error) {
    if (asProblem(error) instanceof Problem) return false
    throw error
  }
}

/** Maximum number of bookmarks in a batch. Other writes run between two batches. */
const STEP = 500

interface Row {
  id: number
  owner: number
  url: string
  pageKey: string | null
  deletedAt: number | null
  canonicalUrl: string | null
}

/** Returns whether the page keys of all bookmarks follow the current rules. */
export function pageKeysAreCurrent(db: ReadConnection): boolean {
  return readValue(db)`SELECT rules = ${PAGE_KEY_RULES} AND up_to IS NULL FROM page_key_rules` === 1
}

/**
 * Updates a batch of page keys that were made by earlier rules. If two bookmarks become the same page, one outside the
 * trash gets the key. If both are outside the trash, the second keeps its old key, and both are found as duplicates.
 * Runs inside a transaction.
 *
 * @returns false if all keys are up to date
 */
function rekeyBatch(db: WriteConnection): boolean {
  if (pageKeysAreCurrent(db)) return false
  const state = readRow<{ rules: number; upTo: number | null }>(db)`SELECT rules, up_to AS upTo FROM page_key_rules`
  const rows = readRows<Row>(db)`
    SELECT b.id, ifnull(b.organization_id, 0) AS owner, b.url, b.page_key AS pageKey, b.deleted_at AS deletedAt,
      d.canonical_url AS canonicalUrl
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.id > ${state?.rules === PAGE_KEY_RULES ? (state.upTo ?? 0) : 0} AND b.type IN ('link', 'image')
      AND b.url IS NOT NULL ORDER BY b.id LIMIT ${STEP}`
  for (const row of rows) rekey(db, row)
  const upTo = rows.length < STEP ? null : rows.at(-1)?.id
  run(db)`UPDATE page_key_rules SET rules = ${PAGE_KEY_RULES}, up_to = ${upTo}`
  return true
}

function rekey(db: WriteConnection, { id, owner, url, pageKey: old, deletedAt, canonicalUrl }: Row): void {
  if (canonicalUrl !== null) {
    run(db)`UPDATE page_details SET own_page = ${ownPageHash(url, canonicalUrl)} WHERE bookmark_id = ${id}`
  }
  const key = pageKey(url)
  run(db)`UPDATE bookmarks SET near_page = ${nearPageHash(key)} WHERE id = ${id}`
  if (old === null || old === key) return
  const other = readRow<{ id: number; deletedAt: number | null }>(db)`
    SELECT id, deleted_at AS deletedAt FROM bookmarks
      WHERE ifnull(organization_id, 0) = ${owner} AND page_key = ${key}`
  if (!other) setKey(db, id, key)
  else if (deletedAt !== null) setKey(db, id, null)
  else if (other.deletedAt !== null) {
    setKey(db, other.id, null)
    setKey(db, id, key)
  }
}

function setKey(db: WriteConnection, id: number, key: string | null): void {
  run(db)`UPDATE bookmarks SET page_key = ${key} WHERE id = ${id}`
}
