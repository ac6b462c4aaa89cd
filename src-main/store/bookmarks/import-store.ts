import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportFacts, ImportUndo, PackedDrafts } from '../../contract/library-import.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { createPublicIds } from '../public-id.ts'
import { siteTokens } from '../search/filter-tokens.ts'
import { filtersOf, searchIndex } from '../search/search-index.ts'
import { bookmarkInserts } from './bookmark-inserts.ts'
import { bookmarkTags } from './bookmark-tags.ts'

/** Imports that are listed. */
const MOST_LISTED = 20

interface Found {
  rowId: number
  deletedAt: number | null
}

/** Bookmarks of an import that one step takes back. */
const UNDO_STEP = 500

/** What the writing thread can do with imports. */
export function importWrites(db: WriteConnection) {
  const index = searchIndex(db)
  const inserts = bookmarkInserts(db)
  const tags = bookmarkTags(db)
  const same = sameBookmark(db)
  const begin = db.prepare('INSERT INTO imports (at) VALUES (?)')
  const timeOf = db.prepare<[number], number>('SELECT at FROM imports WHERE id = ? AND undone_at IS NULL').pluck()
  const count = db.prepare('UPDATE imports SET imported = imported + ? WHERE id = ?')
  // SQLite gives the row ids of purged bookmarks away again, from the highest.
  const trimReused = db.prepare('UPDATE import_ranges SET last = @first - 1 WHERE last >= @first')
  const noteRange = db.prepare('INSERT INTO import_ranges (import_id, first, last) VALUES (?, ?, ?)')
  const noteRestored = db.prepare('INSERT INTO import_restored (import_id, bookmark_id, deleted_at) VALUES (?, ?, ?)')
  const aRange = db.prepare<[number], { first: number; last: number }>(
    'SELECT first, last FROM import_ranges WHERE import_id = ? ORDER BY first DESC LIMIT 1'
  )
  const countRange = db
    .prepare<[number, number], number>('SELECT count(*) FROM bookmarks WHERE id BETWEEN ? AND ?')
    .pluck()
  const trashRange = db
    .prepare<[{ first: number; last: number; since: number; at: number }], number>(
      `UPDATE bookmarks SET deleted_at = @at, updated_at = max(@at, updated_at + 1)
       WHERE id BETWEEN @first AND @last AND deleted_at IS NULL AND updated_at <= @since RETURNING id`
    )
    .pluck()
  const forgetRange = db.prepare('DELETE FROM import_ranges WHERE import_id = ? AND first = ?')
  const restoredBy = db.prepare<[number], Found & { unchanged: number }>(
    `SELECT r.bookmark_id AS rowId, r.deleted_at AS deletedAt, b.deleted_at IS NULL AND b.updated_at <= i.at AS unchanged
     FROM import_restored r JOIN bookmarks b ON b.id = r.bookmark_id JOIN imports i ON i.id = r.import_id
     WHERE r.import_id = ?`
  )
  const backToTrash = db.prepare('UPDATE bookmarks SET deleted_at = ?, updated_at = ? WHERE id = ?')
  const markUndone = db.prepare('UPDATE imports SET undone_at = ? WHERE id = ?')
  const forget = db.prepare('DELETE FROM imports WHERE at < ?')

  /** Remembers new bookmarks in parts that are taken back in one step each. */
  function noteAdded(importId: number, from: number, upTo: number): void {
    trimReused.run({ first: from })
    for (let first = from; first <= upTo; first += UNDO_STEP) {
      noteRange.run(importId, first, Math.min(first + UNDO_STEP - 1, upTo))
    }
  }

  const importAll = db.transaction((importId: number, packed: PackedDrafts[]): SavedBookmark['status'][] => {
    const at = timeOf.get(importId) ?? 0
    const nextId = createPublicIds()
    const tagOf = remembered(tags.findOrMake)
    const sitesOf = remembered(siteTokens)
    const filters: (string[] | null)[] = []
    const restored: number[] = []
    const taggings: [number, number][] = []
    let last = 0

    function add(draft: ImportDraft): boolean {
      const tagIds = [...new Set(draft.tags.map(tagOf))].sort((a, b) => a - b)
      const { type, visibility, owner: organization, domain, deletedAt } = draft
      const tokens =
        deletedAt === null ? filtersOf({ type, visibility, organization, domain, link: null }, tagIds, sitesOf) : null
      const rowId = inserts.insertUnindexed(draft, draft.id ?? nextId(), tokens)
      if (rowId === undefined) return false
      last = rowId
      filters.push(tokens)
      for (const tag of tagIds) taggings.push([rowId, tag])
      return true
    }

    function importOne(draft: ImportDraft): SavedBookmark['status'] {
      // A page is inserted without asking first: its index is looked into once.
      if (draft.pageKey !== null && add(draft)) return 'saved'
      const found = same(draft)
      if (!found) {
        add(draft)
        return 'saved'
      }
      if (found.deletedAt === null || draft.deletedAt !== null) return 'existing'
      inserts.restore(found.rowId, at)
      noteRestored.run(importId, found.rowId, found.deletedAt)
      restored.push(found.rowId)
      return 'saved'
    }

    const statuses = packed.flatMap((drafts) => unpackDrafts(drafts).map(importOne))
    inserts.giveTags(taggings)
    index.refresh(restored)
    if (filters.length > 0) {
      const first = last - filters.length + 1
      noteAdded(importId, first, last)
      index.defer(first, filters)
    }
    count.run(filters.length + restored.length, importId)
    return statuses
  })

  return {
    beginImport: (at: number): number => Number(begin.run(at).lastInsertRowid),

    /** New bookmarks are listed and counted at once, and their words are indexed later. */
    importBookmarks: importAll,

    undoImportSome: db.transaction((id: number, at: number): ImportUndo | undefined => {
      const since = timeOf.get(id)
      if (since === undefined) return undefined
      const range = aRange.get(id)
      if (range) {
        const undone = trashRange.all({ ...range, since, at })
        forgetRange.run(id, range.first)
        index.refresh(undone)
        const kept = (countRange.get(range.first, range.last) ?? 0) - undone.length
        return { undone: undone.length, kept, done: false }
      }
      const rows = restoredBy.all(id)
      const unchanged = rows.filter((row) => row.unchanged === 1)
      for (const { rowId, deletedAt } of unchanged) backToTrash.run(deletedAt, at, rowId)
      markUndone.run(at, id)
      index.refresh(unchanged.map(({ rowId }) => rowId))
      return { undone: unchanged.length, kept: rows.length - unchanged.length, done: true }
    }),

    forgetImports(before: number): void {
      forget.run(before)
    }
  }
}

/** Asks once for each name. */
function remembered<T>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const found = known.get(name) ?? find(name)
    known.set(name, found)
    return found
  }
}

/** What can be asked about imports. */
export function importReads(db: ReadConnection) {
  const same = sameBookmark(db)
  const list = db.prepare(
    'SELECT id, at, imported, undone_at AS undoneAt FROM imports WHERE imported > 0 ORDER BY id DESC LIMIT ?'
  )
  return {
    previewImport: (drafts: ImportDraft[]): SavedBookmark['status'][] =>
      drafts.map((draft) => {
        const found = same(draft)
        return found && (found.deletedAt === null || draft.deletedAt !== null) ? 'existing' : 'saved'
      }),
    listImports: () => list.all(MOST_LISTED) as ImportFacts[]
  }
}

/**
 * Finds what a draft already is: the bookmark with its id, or the same page, or, for what has neither, the same text or
 * color of the same owner.
 */
function sameBookmark(db: Pick<ReadConnection, 'prepare'>): (draft: ImportDraft) => Found | undefined {
  const byId = db.prepare('SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ?')
  const byPage = db.prepare(
    'SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = ? AND page_key = ?'
  )
  const byContent = db.prepare(
    `SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks
     WHERE page_key IS NULL AND type = ? AND substr(content, 1, 64) = substr(?, 1, 64) AND content = ?
       AND ifnull(organization_id, 0) = ? ORDER BY deleted_at IS NOT NULL LIMIT 1`
  )
  return ({ id, pageKey, owner, type, content }) => {
    const known = id === undefined ? undefined : byId.get(id)
    if (known) return known as Found
    if (pageKey !== null) return byPage.get(owner ?? 0, pageKey) as Found | undefined
    return id === undefined ? (byContent.get(type, content, content, owner ?? 0) as Found | undefined) : undefined
  }
}
