import type { SavedBookmark } from '../../contract/bookmark.ts'
import type {
  ImportDraft,
  ImportedStatus,
  ImportFacts,
  ImportUndo,
  PackedDrafts
} from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, insert, readRows, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { ImportBatch } from './import-batch.ts'
import { undoSome } from './import-ranges.ts'
import { findSame } from './same-bookmark.ts'

/** Imports that are listed. */
const MAX_LISTED = 20

/** Begins an import, so that all it adds can be taken back as one, and returns its id. */
export function beginImport(db: WriteConnection, at: number): Written<number> {
  return { answer: insert(db)`INSERT INTO imports (at) VALUES (${at})`, events: [] }
}

/**
 * Adds some of an import's bookmarks. They are listed and counted at once, and their words are indexed later. It checks
 * itself what SQLite would, at a quarter of the cost: its transaction has SQLite's own checks turned off.
 */
export function importBookmarks(db: WriteConnection, id: number, packed: PackedDrafts[]): Written<ImportedStatus[]> {
  const batch = new ImportBatch(db, { id, at: startOf(db, id) ?? 0 })
  const statuses = packed.flatMap((drafts) => unpackDrafts(drafts).map((draft) => batch.add(draft)))
  batch.end()
  const saved = statuses.filter((status) => status === 'saved').length
  const noted = run(db)`UPDATE imports SET imported = imported + ${saved} WHERE id = ${id}`
  if (noted.changes === 0) throw new Problem('not-found', 'The import is gone.')
  const changed = statuses.some((status) => status !== 'existing')
  return { answer: statuses, events: changed ? [{ kind: 'bookmarks', saved, by: '' }] : [] }
}

/**
 * Takes back some of what an import added; `undefined` when there is no such import, or it was undone before.
 *
 * @throws Problem `taken` where it is what other machines have, with which this one is synchronized
 */
export function undoImportSome(db: WriteConnection, id: number, at: number): Written<ImportUndo | undefined> {
  if (exists(db)`SELECT 1 FROM sync_state, imports WHERE imports.id = ${id} AND joined = 1`) {
    throw new Problem(
      'taken',
      'These bookmarks came from your other machines, where undoing would delete them too. Leave first: earmark sync leave'
    )
  }
  const begun = startOf(db, id)
  const answer = begun === undefined ? undefined : undoSome(db, { id, at: begun }, at)
  return { answer, events: answer && answer.undone > 0 ? [{ kind: 'bookmarks' }] : [] }
}

/** Forgets imports from before a time, so that they can no longer be undone. */
export function forgetImports(db: WriteConnection, before: number): Written<void> {
  run(db)`DELETE FROM imports WHERE at < ${before}`
  return { answer: undefined, events: [] }
}

/** Returns when an import began; `undefined` when there is none, or it was undone. */
function startOf(db: WriteConnection, id: number): number | undefined {
  return readValue<number>(db)`SELECT at FROM imports WHERE id = ${id} AND undone_at IS NULL`
}

/** Returns what importing the drafts would answer, each by itself. */
export function previewImport(db: ReadConnection, drafts: ImportDraft[]): SavedBookmark['status'][] {
  return drafts.map((draft) => {
    const found = findSame(db, draft)
    return found && (found.deletedAt === null || draft.deletedAt !== null) ? 'existing' : 'saved'
  })
}

/** Returns the last imports that added something, newest first. */
export function listImports(db: ReadConnection): ImportFacts[] {
  return readRows<ImportFacts>(db)`
    SELECT id, at, imported, undone_at AS undoneAt, joined FROM imports
      WHERE imported > 0 ORDER BY id DESC LIMIT ${MAX_LISTED}`
}
