import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportedStatus, ImportFacts, PackedDrafts } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import { hashText } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, insert, readRow, readRows, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { findSame, findSamePage } from './bookmark-inserts.ts'
import { ImportBatch, type ImportStep } from './import-batch.ts'
import { beginStep, KEPT_DAYS } from './undo-steps.ts'

/** Imports that are listed. */
const MAX_LISTED = 20

/** Begins an import, whose bookmarks are one undo step, and returns its id. */
export function beginImport(db: WriteConnection, at: number): Written<number> {
  return { answer: addImport(db, at).id, events: [] }
}

/** @param joined whether its bookmarks come from other machines */
export function addImport(db: WriteConnection, at: number, joined = false): { id: number; step: ImportStep } {
  const step = beginStep(db, { id: null, at, keptDays: KEPT_DAYS.import })
  const id = insert(db)`INSERT INTO imports (step_id, joined) VALUES (${step}, ${joined ? 1 : 0})`
  return { id, step: { id: step, at } }
}

/** Returns the step of an import; `undefined` if there is no such import, or it was undone. */
export function findImportStep(db: WriteConnection, id: number): ImportStep | undefined {
  return readRow<ImportStep>(db)`
    SELECT s.id, s.at FROM imports i JOIN undo_steps s ON s.id = i.step_id WHERE i.id = ${id} AND s.undone_at IS NULL`
}

export function countImported(db: WriteConnection, id: number, more: number): void {
  run(db)`UPDATE imports SET imported = imported + ${more} WHERE id = ${id}`
}

/**
 * Adds a batch of an import's bookmarks. They are listed and counted at once, and their words are indexed later. It checks
 * itself what SQLite would, at a quarter of the cost: its transaction has SQLite's own checks turned off.
 *
 * @throws Problem `not-found` if the import was undone or forgotten
 */
export function importBookmarks(db: WriteConnection, id: number, packed: PackedDrafts[]): Written<ImportedStatus[]> {
  const step = findImportStep(db, id)
  if (!step) throw new Problem('not-found', 'The import is gone.')
  const batch = new ImportBatch(db, step)
  const statuses = packed.flatMap((drafts) => unpackDrafts(drafts).map((draft) => batch.add(draft)))
  batch.end()
  const saved = statuses.filter((status) => status === 'saved').length
  countImported(db, id, saved)
  const changed = statuses.some((status) => status !== 'existing')
  return { answer: statuses, events: changed ? [{ kind: 'bookmarks', saved, by: '' }] : [] }
}

/** Returns the status that importing each of the drafts would have. */
export function previewImport(db: ReadConnection, drafts: ImportDraft[]): SavedBookmark['status'][] {
  return drafts.map((draft) => {
    const found = findSame(db, draft)
    return found && (found.deletedAt === null || draft.deletedAt !== null) ? 'existing' : 'saved'
  })
}

/** Returns the last imports that added something, newest first. */
export function listImports(db: ReadConnection): ImportFacts[] {
  return readRows<ImportFacts>(db)`
    SELECT i.id, s.at, i.imported, s.undone_at AS undoneAt, i.joined FROM imports i JOIN undo_steps s ON s.id = i.step_id
      WHERE i.imported > 0 ORDER BY i.id DESC LIMIT ${MAX_LISTED}`
}

type Page = Pick<ImportDraft, 'owner' | 'pageKey'>

/** Returns for each page whether it is in the trash. */
export function areInTrash(db: ReadConnection, pages: Page[]): boolean[] {
  return pages.map(({ owner, pageKey }) => {
    const same = pageKey === null ? undefined : findSamePage(db, owner, pageKey)
    return same !== undefined && same.deletedAt !== null
  })
}

/** Records that a watched file contained these pages, whether they were saved or not. */
export function rememberPages(db: WriteConnection, file: string, pages: Page[]): Written<void> {
  const source = hashText(file)
  for (const page of pages.map(hashOf)) {
    if (page === undefined) continue
    run(db)`INSERT OR IGNORE INTO watched_pages (source, page) VALUES (${source}, ${page})`
  }
  return { answer: undefined, events: [] }
}

/** Returns for each page whether a watched file contained it before. */
export function wereGiven(db: ReadConnection, file: string, pages: Page[]): boolean[] {
  const source = hashText(file)
  return pages
    .map(hashOf)
    .map(
      (page) =>
        page !== undefined && exists(db)`SELECT 1 FROM watched_pages WHERE source = ${source} AND page = ${page}`
    )
}

/** Returns `undefined` for a draft without a page, which no browser has. */
function hashOf({ owner, pageKey }: Page): number | undefined {
  return pageKey === null ? undefined : hashText(`${owner ?? 0} ${pageKey}`)
}
