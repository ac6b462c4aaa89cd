import type { BookmarkType, Visibility } from '../contract/bookmark.ts'
import { indexText } from '../core/segment.ts'
import type { WriteConnection } from './connection.ts'
import { filterToken, sitesOf } from './filter-tokens.ts'

/** Bookmarks a batch of the background rebuild; between two of them other writes get their turn. */
const REBUILD_BATCH = 500

/** Between two tags, so that no phrase is found across them. */
const APART = ' \ue001 '

/**
 * Keeps both indexes and the filters' counts beside the rows. Whatever changes a bookmark calls `refresh` in the same
 * transaction.
 */
export function searchIndex(db: WriteConnection) {
  const read = db.prepare<[number], IndexedRow>(
    `SELECT id, type, visibility, organization_id AS organization, url, domain, title, description, content, filters,
       deleted_at AS deletedAt FROM bookmarks WHERE id = ?`
  )
  const readTags = db.prepare<[number], { id: number; name: string }>(
    'SELECT t.id, t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = ? ORDER BY t.id'
  )
  const addTexts = db.prepare(
    `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
     VALUES (?, ?, ?, ?, ?, ?, ?)`
  )
  const addTitle = db.prepare('INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)')
  const removeTexts = db.prepare('DELETE FROM bookmark_texts WHERE rowid = ?')
  const removeTitle = db.prepare('DELETE FROM bookmark_titles WHERE rowid = ?')
  const setFilters = db.prepare('UPDATE bookmarks SET filters = ? WHERE id = ?')
  const count = db.prepare(
    `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
     ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`
  )
  const pending = db
    .prepare<[number], number>(
      'SELECT id FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT ?'
    )
    .pluck()

  function refresh(rowId: number): void {
    const row = read.get(rowId)
    if (!row) return
    if (row.filters !== null) {
      removeTexts.run(rowId)
      removeTitle.run(rowId)
      for (const filter of row.filters.split(' ')) count.run(filter, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null) setFilters.run(null, rowId)
      return
    }
    const tags = readTags.all(rowId)
    const filters = filtersOf(row, tags)
    const title = indexText(row.title)
    const tagTexts = tags.map((tag) => indexText(tag.name)).join(APART)
    const joined = filters.join(' ')
    addTexts.run(
      rowId,
      title,
      tagTexts,
      indexText(readable(row.url ?? '')),
      indexText(row.description),
      indexText(row.content),
      joined
    )
    addTitle.run(rowId, `${title}${APART}${tagTexts}`, joined)
    for (const filter of filters) count.run(filter, 1)
    setFilters.run(joined, rowId)
  }

  return {
    refresh,
    /** Indexes some rows that are not indexed yet, newest first. False when none is left. */
    rebuildSome: db.transaction((): boolean => {
      const rows = pending.all(REBUILD_BATCH)
      for (const rowId of rows) refresh(rowId)
      return rows.length === REBUILD_BATCH
    })
  }
}

interface IndexedRow {
  id: number
  type: BookmarkType
  visibility: Visibility
  organization: number | null
  url: string | null
  domain: string | null
  title: string
  description: string
  content: string
  filters: string | null
  deletedAt: number | null
}

function filtersOf(row: IndexedRow, tags: { id: number }[]): string[] {
  return [
    filterToken.type(row.type),
    filterToken.visibility(row.visibility),
    ...(row.organization === null ? [] : [filterToken.organization(row.organization)]),
    ...(row.domain === null ? [] : sitesOf(row.domain).map(filterToken.site)),
    ...tags.map((tag) => filterToken.tag(tag.id))
  ]
}

/** The words of an address: percent-encoding undone, so that `%E6%97%A5` is found by its character. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
