import type { SavedBookmark } from '../bookmark.ts'
import type { ExportPart, WalkRange } from '../library-export.ts'
import type { ImportDraft, ImportedStatus, ImportFacts, ImportUndo, PackedDrafts } from '../library-import.ts'

/** Calls about imports and exports. */
export interface LibraryImports {
  /** Begins an import, so that all it adds can be taken back as one, and gives its id. */
  beginImport(at: number): Promise<number>
  /**
   * One transaction for all drafts, answered in their order. What is new is listed and counted at once; its words are
   * indexed in the background once nothing is imported.
   */
  importBookmarks(importId: number, packed: PackedDrafts[]): Promise<ImportedStatus[]>
  /** Indexes some of what imports left to the background, what came last first. Says how many; 0 when none is left. */
  indexSome(): Promise<number>
  /** Returns the status that importing each draft would give it, without importing any. */
  previewImport(drafts: ImportDraft[]): Promise<SavedBookmark['status'][]>
  /** Whether the pages of the drafts are in the trash, each by itself. */
  areInTrash(drafts: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<boolean[]>
  /** Whether a watched file gave these pages before, each by itself. */
  wereGiven(file: string, pages: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<boolean[]>
  /** Remembers that a watched file gave these pages. */
  rememberPages(file: string, pages: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<void>
  /** The last imports that added something, newest first. */
  listImports(): Promise<ImportFacts[]>
  /** Takes back some of what an import added. `undefined` when there is no such import, or it was undone before. */
  undoImportSome(id: number, at: number): Promise<ImportUndo | undefined>
  /** Forgets imports from before a time, so that they can no longer be undone. */
  forgetImports(before: number): Promise<void>
  exportBookmarks(range: WalkRange): Promise<ExportPart>
}
