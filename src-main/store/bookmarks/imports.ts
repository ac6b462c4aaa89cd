import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportFacts, ImportUndo, PackedDrafts } from '../../contract/library-import.ts'
import { Problem } from '../../contract/problem.ts'
import { memoize } from '../../core/memoize.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'
import { createPublicIds } from '../public-id.ts'
import { filterTally } from '../search/filter-tally.ts'
import { searchIndex } from '../search/search-index.ts'
import { bookmarkInserts } from './bookmark-inserts.ts'
import { ascending, bookmarkTags, tagging } from './bookmark-tags.ts'
import { newBookmarks } from './new-bookmarks.ts'

/** Imports that are listed. */
const MOST_LISTED = 20

interface Found {
  rowId: number
  deletedAt: number | null
}

/** Bookmarks of an import that one step takes back. */
const UNDO_STEP = 500

/** Imports. */
export const imports = family({
  here: importReads,
  writes: importWrites,
  emits: {
    beginImport: noEvents,
    importBookmarks: (all) => newBookmarks(all.map((status) => ({ status }))),
    undoImportSome: (report) => (report && report.undone > 0 ? [{ kind: 'bookmarks' }] : []),
    forgetImports: noEvents
  }
})

/** What the writing thread can do with imports. */
function importWrites(db: WriteConnection) {
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
  const noteRestored = db.prepare(
    'INSERT INTO import_restored (import_id, bookmark_id, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
  )
  const wasAdded = db.prepare('SELECT 1 FROM import_ranges WHERE import_id = ? AND ? BETWEEN first AND last')
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

  const hasOwner = db.prepare('SELECT 1 FROM organizations WHERE id = ?')
  const hasPicture = db.prepare('SELECT 1 FROM pictures WHERE hash = ?')

  /** What the table checks of every row, for a quarter of what a row costs. */
  function assertWhole({ owner, visibility, picture }: ImportDraft): void {
    if ((visibility === 'organization') !== (owner !== null)) throw new Error(`a bookmark of ${owner} is ${visibility}`)
    if (owner !== null && !hasOwner.get(owner)) throw new Problem('not-found', 'The organization is gone.')
    if (picture !== undefined && !hasPicture.get(picture)) throw new Problem('not-found', 'A picture is gone.')
  }

  const importAll = db.transaction((importId: number, packed: PackedDrafts[]): SavedBookmark['status'][] => {
    const at = timeOf.get(importId) ?? 0
    const nextId = createPublicIds()
    const tagOf = memoize(tags.findOrMake)
    const tally = filterTally()
    const restored: number[] = []
    const taggings: number[] = []
    let first: number | undefined
    let last = 0

    function add(draft: ImportDraft): boolean {
      assertWhole(draft)
      const tagIds = ascending(draft.tags.map(tagOf))
      const groups = draft.deletedAt === null ? tally.groupsOf(draft, tagIds) : undefined
      const rowId = inserts.insertUnindexed(draft, draft.id ?? nextId(), groups ? tally.textOf(groups) : null)
      if (rowId === undefined) return false
      first ??= rowId
      last = rowId
      if (groups) tally.count(groups)
      for (const tag of tagIds) taggings.push(tagging(rowId - first, tag))
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
      restored.push(found.rowId)
      // A file may hold a page twice, in the trash and not.
      if (found.rowId >= (first ?? Infinity) || wasAdded.get(importId, found.rowId)) return 'existing'
      noteRestored.run(importId, found.rowId, found.deletedAt)
      return 'saved'
    }

    const statuses = packed.flatMap((drafts) => unpackDrafts(drafts).map(importOne))
    if (first !== undefined) {
      inserts.giveTags(first, taggings)
      noteAdded(importId, first, last)
      index.defer(first, last, tally.counts())
    }
    index.refresh(restored)
    const noted = count.run(statuses.filter((status) => status === 'saved').length, importId)
    if (noted.changes === 0) throw new Problem('not-found', 'The import is gone.')
    return statuses
  })

  return {
    beginImport: (at: number): number => Number(begin.run(at).lastInsertRowid),

    /**
     * New bookmarks are listed and counted at once, and their words are indexed later. `assertWhole` stands for SQLite's
     * checks.
     */
    importBookmarks(importId: number, packed: PackedDrafts[]): SavedBookmark['status'][] {
      db.pragma('ignore_check_constraints = ON')
      db.pragma('foreign_keys = OFF')
      try {
        return importAll(importId, packed)
      } finally {
        db.pragma('foreign_keys = ON')
        db.pragma('ignore_check_constraints = OFF')
      }
    },

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

/** What can be asked about imports. */
function importReads(db: ReadConnection) {
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
