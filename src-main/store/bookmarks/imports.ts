import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportFacts, ImportUndo, PackedDrafts } from '../../contract/library-import.ts'
import { Problem } from '../../contract/problem.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'
import { ImportBatch, importTools } from './import-batch.ts'
import { newBookmarks } from './new-bookmarks.ts'
import { sameBookmark } from './same-bookmark.ts'

/** Imports that are listed. */
const MOST_LISTED = 20

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
  const tools = importTools(db)
  const begin = db.prepare('INSERT INTO imports (at) VALUES (?)')
  const timeOf = db.prepare<[number], number>('SELECT at FROM imports WHERE id = ? AND undone_at IS NULL').pluck()
  const count = db.prepare('UPDATE imports SET imported = imported + ? WHERE id = ?')
  const forget = db.prepare('DELETE FROM imports WHERE at < ?')

  const importAll = db.transaction((id: number, packed: PackedDrafts[]): SavedBookmark['status'][] => {
    const batch = new ImportBatch({ id, at: timeOf.get(id) ?? 0 }, tools)
    const statuses = packed.flatMap((drafts) => unpackDrafts(drafts).map((draft) => batch.add(draft)))
    batch.end()
    const noted = count.run(statuses.filter((status) => status === 'saved').length, id)
    if (noted.changes === 0) throw new Problem('not-found', 'The import is gone.')
    return statuses
  })

  return {
    beginImport: (at: number): number => Number(begin.run(at).lastInsertRowid),

    /**
     * New bookmarks are listed and counted at once, and their words are indexed later. The batch checks what SQLite
     * would, at a quarter of the cost.
     */
    importBookmarks(id: number, packed: PackedDrafts[]): SavedBookmark['status'][] {
      db.pragma('ignore_check_constraints = ON')
      db.pragma('foreign_keys = OFF')
      try {
        return importAll(id, packed)
      } finally {
        db.pragma('foreign_keys = ON')
        db.pragma('ignore_check_constraints = OFF')
      }
    },

    undoImportSome: db.transaction((id: number, at: number): ImportUndo | undefined => {
      const begun = timeOf.get(id)
      return begun === undefined ? undefined : tools.ranges.undoSome({ id, at: begun }, at)
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
