import type { BookmarkPage } from '../../contract/bookmark.ts'
import type { BookmarkList, FixedOrder, ListOrder } from '../../contract/bookmark-list.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readTuples, readValue, readValues } from '../../database/sql.ts'
import { foldWord } from '../../search/segment.ts'
import { countByKind, type Filter, readFilters } from '../../search/sql/filters.ts'
import { UNINDEXED } from '../../search/sql/search-index.ts'
import { bookmarksAt } from './bookmark-reads.ts'

/**
 * If at most this share of all bookmarks match a filter, their row ids are read as a set. Other filters are checked on
 * each row, in the order of the list, until the page is full.
 */
const NARROW = 0.05

/** Lists a page of the profile's bookmarks. */
export function listBookmarks(db: ReadConnection, list: BookmarkList): BookmarkPage {
  if (list.trash) return listTrash(db, list)
  const filters = readFilters(db, list)
  if (!filters) return { total: 0, atLeast: false, bookmarks: [] }
  const { all } = countByKind(db)
  const conditions = ['b.deleted_at IS NULL', ...filters.map((filter) => conditionOf(filter, all))]
  const where = conditions.join(' AND ')
  const values = valuesOf(filters)
  const page = { limit: list.limit, skip: (list.page - 1) * list.limit }
  const ids = list.opened
    ? readValues<number>(
        db,
        `SELECT b.id FROM openings o CROSS JOIN bookmarks b ON b.id = o.bookmark_id WHERE ${where}
         ORDER BY o.opened_at DESC, o.bookmark_id DESC LIMIT @limit OFFSET @skip`,
        { ...values, ...page }
      )
    : readValues<number>(
        db,
        `SELECT b.id FROM bookmarks b WHERE ${where}
         ORDER BY ${orderBy(list.order)} LIMIT @limit OFFSET @skip`,
        { ...values, ...page }
      )
  const total = countKept(filters, all) ?? readValue(db, `SELECT count(*) FROM bookmarks b WHERE ${where}`, values) ?? 0
  return { total, atLeast: false, bookmarks: bookmarksAt(db, ids) }
}

/** Returns the total if it is stored: the index has the counts of all bookmarks and of most single filters. */
function countKept(filters: Filter[], all: number): number | undefined {
  const [first, ...others] = filters
  if (!first) return all
  // Some bookmarks of an import may be deleted.
  const isExact = !first.isInexact && !hasSeveralTags(first) && first.kind !== 'import'
  const isKept = others.length === 0 && Number.isFinite(first.bookmarks) && isExact
  return isKept ? first.bookmarks : undefined
}

/** A filter of several tags counts a bookmark once for each tag it has. */
function hasSeveralTags({ kind, value }: Filter): boolean {
  return kind === 'tag' && typeof value === 'string'
}

function conditionOf(filter: Filter, all: number): string {
  return filter.bookmarks <= all * NARROW && !filter.isInexact ? `b.id IN (${rowIdsOf(filter)})` : filter.condition
}

/** Returns SQL for the row ids that match a filter. Tags are read from rows, because the index may have old ones. */
function rowIdsOf(filter: Filter): string {
  const { kind, name, condition } = filter
  if (kind === 'import') {
    return `SELECT i.id FROM undo_ranges r CROSS JOIN bookmarks i ON i.id BETWEEN r.first AND r.last WHERE r.step_id = @${name}
      UNION ALL SELECT bookmark_id FROM undo_bookmarks WHERE step_id = @${name}`
  }
  if (kind !== 'tag') {
    return `SELECT rowid FROM bookmark_titles WHERE bookmark_titles MATCH @${name}Tokens
      UNION ALL SELECT b.id FROM ${UNINDEXED} AND ${condition}`
  }
  if (!hasSeveralTags(filter)) return `SELECT bookmark_id FROM bookmark_tags WHERE tag_id = @${name}`
  return `SELECT bt.bookmark_id FROM json_each(@${name}) n
    CROSS JOIN tags t ON t.folded BETWEEN n.value ->> 0 AND n.value ->> 1
    CROSS JOIN bookmark_tags bt ON bt.tag_id = t.id`
}

function valuesOf(filters: Filter[]): Record<string, string | number> {
  const values = filters.flatMap(({ name, value, tokens }) => [
    [name, value],
    [`${name}Tokens`, tokens.map((token) => `"${token}"`).join(' OR ')]
  ])
  return Object.fromEntries(values)
}

/** As in the index of titles: a bookmark without a title is sorted by its site. */
const TITLE = "substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, 32) COLLATE NOCASE"

/** As in the index of sites: a bookmark without a site comes last. */
const SITE = "coalesce(b.domain, '~')"

const ORDERS: Record<FixedOrder, string> = {
  newest: 'b.created_at DESC, b.id DESC',
  oldest: 'b.created_at, b.id',
  title: `${TITLE}, b.id`,
  site: `${SITE}, b.created_at DESC, b.id DESC`
}

/** A prime near 2 ** 31: products of two smaller numbers fit into SQLite's integers. */
const PRIME = 2_147_483_647

/** A random order depends on the seed and the row id only, so that saving and deleting moves no other bookmark. */
function orderBy(order: ListOrder): string {
  if (!isRandom(order)) return ORDERS[order]
  const seed = Number(order.slice('random:'.length))
  const factor = 1 + ((seed * 48_271) % (PRIME - 1))
  return `b.id * ${factor} % ${PRIME} * (b.id + ${seed}) % ${PRIME}, b.id`
}

function isRandom(order: ListOrder): order is Exclude<ListOrder, FixedOrder> {
  return order.startsWith('random:')
}

/** Lists the trash, the last deleted bookmark first. */
function listTrash(db: ReadConnection, { words, page, limit }: BookmarkList): BookmarkPage {
  const skip = (page - 1) * limit
  if (words) {
    const ids = searchTrash(db, words)
    return { total: ids.length, atLeast: false, bookmarks: bookmarksAt(db, ids.slice(skip, skip + limit)) }
  }
  const ids = readValues<number>(db)`
    SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC
    LIMIT ${limit} OFFSET ${skip}`
  return { total: countByKind(db).trash, atLeast: false, bookmarks: bookmarksAt(db, ids) }
}

/** Limits of a search in the trash, which reads rows because the index does not contain deleted bookmarks. */
const MAX_TRASH_READ = 100_000
const MAX_TRASH_FOUND = 1000
const TRASH_BATCH = 2000

/** How much of a text is searched, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 2000

type TrashRow = [id: number, deletedAt: number, text: string]

/** Returns the bookmarks of the trash whose visible texts contain all words, whole or in part. */
function searchTrash(db: ReadConnection, words: string): number[] {
  const folded = foldWord(words).split(/\s+/).filter(Boolean)
  const ids: number[] = []
  let last: [deletedAt: number, id: number] = [Number.MAX_SAFE_INTEGER, 0]
  for (let read = 0; read < MAX_TRASH_READ && ids.length < MAX_TRASH_FOUND; read += TRASH_BATCH) {
    const rows = trashBefore(db, last)
    for (const [id, , text] of rows) {
      const foldedText = foldWord(text)
      if (folded.every((word) => foldedText.includes(word))) ids.push(id)
    }
    const end = rows.at(-1)
    if (!end || rows.length < TRASH_BATCH) break
    last = [end[1], end[0]]
  }
  return ids.slice(0, MAX_TRASH_FOUND)
}

function trashBefore(db: ReadConnection, [deletedAt, id]: [deletedAt: number, id: number]): TrashRow[] {
  return readTuples<TrashRow>(db)`
    SELECT b.id, b.deleted_at, concat_ws(' ', b.title, b.url, b.description, substr(b.content, 1, ${MAX_TEXT_LENGTH}),
      (SELECT group_concat(t.name, ' ') FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id))
    FROM bookmarks b INDEXED BY bookmarks_in_trash
    WHERE b.deleted_at IS NOT NULL AND (b.deleted_at, b.id) < (${deletedAt}, ${id})
    ORDER BY b.deleted_at DESC, b.id DESC LIMIT ${TRASH_BATCH}`
}
