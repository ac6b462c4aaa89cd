import { LIMITS, type SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportedStatus, ImportFacts, PackedDrafts } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { cut } from '../../core/clean-text.ts'
import { memoize } from '../../core/memoize.ts'
import { unpackDrafts } from '../../core/packed-drafts.ts'
import { hashText } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, insert, readRow, readRows, run } from '../../database/sql.ts'
import { filterTally } from '../../search/sql/indexed-row.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { highlightsOf, uniteHighlights, writeHighlights, writeImportedText, writeReading } from '../pages/text-rows.ts'
import { createPublicIds } from '../public-id.ts'
import {
  assertOwner,
  findSame,
  findSamePage,
  giveUpPage,
  insertRow,
  makePrivate,
  type NewRow,
  type SamePage,
  takeFromTrash
} from './bookmark-inserts.ts'
import { addTags, ascending, findOrMakeTag, giveTags, replaceState, tagging } from './bookmark-state.ts'
import { deferRules } from './rules.ts'
import { claimSamples } from './samples.ts'
import { beginStep, firstNew, isNewIn, KEPT_DAYS, recordChange, recordNew, type UndoStep } from './undo-steps.ts'

/** Imports that are listed. */
const MAX_LISTED = 20

/** Begins an import, whose bookmarks are one undo step, and returns its id. */
export function beginImport(db: WriteConnection, at: number, file?: string): Written<number> {
  const { id } = addImport(db, at)
  if (file !== undefined) run(db)`UPDATE imports SET file = ${file} WHERE id = ${id}`
  return { answer: id, events: [] }
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
  return { answer: statuses, events: changed ? [{ kind: 'bookmarks', saved }] : [] }
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
    SELECT i.id, s.at, i.imported, s.undone_at AS undoneAt, i.joined, i.file FROM imports i JOIN undo_steps s ON s.id = i.step_id
      WHERE i.imported > 0 OR EXISTS (SELECT 1 FROM undo_bookmarks u WHERE u.step_id = s.id) ORDER BY i.id DESC LIMIT ${MAX_LISTED}`
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

/** The step of an import. */
export interface ImportStep {
  id: number
  /** When the import began, in milliseconds since 1970. */
  at: number
}

/** One transaction of an import: drafts one after the other, and then what concerns all of them at once. */
class ImportBatch {
  readonly #db: WriteConnection
  readonly #step: ImportStep
  readonly #nextId = createPublicIds()
  readonly #new: NewRows
  /** Row ids of the bookmarks that were restored from the trash. */
  readonly #restored: number[] = []
  /** The tags of records that were merged into others, or brought them back from the trash, by row id. */
  readonly #merged = new Map<number, Set<string>>()
  /** Row ids of the bookmarks that were there before, and got highlights. */
  readonly #highlighted: number[] = []
  /** No row below is of this import. */
  readonly #from: number

  constructor(db: WriteConnection, step: ImportStep) {
    this.#db = db
    this.#step = step
    this.#from = firstNew(db, step.id) ?? Infinity
    this.#new = new NewRows(db)
  }

  add(draft: ImportDraft): ImportedStatus {
    // A page is inserted without a search before, so that its index is read once.
    if (draft.pageKey !== null && this.#insert(draft)) return 'saved'
    const found = findSame(this.#db, draft)
    if (!found) {
      this.#insert(draft)
      return 'saved'
    }
    // A file may hold a page twice.
    const isOwn = this.#isOwn(found.rowId)
    const isHighlighted = this.#addHighlights(found, draft, isOwn)
    if (isOwn && found.publicId !== draft.id && draft.id !== undefined) return this.#insertBeside(found, draft)
    if (draft.deletedAt !== null) return isOwn ? 'repeated' : 'existing'
    if (found.deletedAt === null) {
      claimSamples(this.#db, [found.rowId])
      if (!isOwn) return isHighlighted ? 'highlighted' : 'existing'
      const status = this.#merge(found.rowId, draft)
      return status === 'repeated' && isHighlighted ? 'merged' : status
    }
    const { at } = this.#step
    const before = takeFromTrash(this.#db, found.rowId, at, { ...draft, tags: [] })
    if (draft.highlights) {
      before.highlights = highlightsOf(this.#db, found.rowId)
      writeHighlights(this.#db, found.rowId, uniteHighlights(before.highlights, draft.highlights))
    }
    this.#mergeTags(found.rowId, draft.tags)
    if (isOwn) return 'repeated'
    recordChange(this.#db, this.#step, found.rowId, { before, changedAt: at })
    this.#restored.push(found.rowId)
    return 'saved'
  }

  /** Returns whether this import added a row. */
  #isOwn(rowId: number): boolean {
    return rowId >= this.#new.first || (rowId >= this.#from && isNewIn(this.#db, this.#step.id, rowId))
  }

  end(): void {
    this.#new.end(this.#step)
    for (const [rowId, tags] of this.#merged) addTags(this.#db, rowId, tags)
    searchIndex(this.#db).refresh([...this.#merged.keys(), ...this.#highlighted])
    deferRules(this.#db, [...this.#new.saved, ...this.#restored])
  }

  /**
   * Adds another record of the same page to a bookmark of this import: the title and description to the bookmark's
   * description, and the tags, as far as there is room. Returns `merged` if any words were new.
   */
  #merge(rowId: number, { title, description, tags, url, visibility }: ImportDraft): ImportedStatus {
    const has = readRow<Record<'title' | 'description' | 'visibility', string>>(this.#db)`
      SELECT title, description, visibility FROM bookmarks WHERE id = ${rowId}`
    if (!has) return 'repeated'
    // What one record keeps private is not shown by the other.
    if (has.visibility !== visibility) makePrivate(this.#db, rowId)
    const known = `${has.title}\n${has.description}`
    const news = [title, description].filter((text) => text !== url && !known.includes(text))
    const whole = [has.description, ...news].filter(Boolean).join('\n')
    const merged = cut(whole, LIMITS.description)
    if (merged !== has.description) run(this.#db)`UPDATE bookmarks SET description = ${merged} WHERE id = ${rowId}`
    this.#mergeTags(rowId, tags)
    if (merged !== whole) return 'merged in part'
    return merged === has.description ? 'repeated' : 'merged'
  }

  /**
   * Adds the highlights of another record of the same page. Those of a bookmark that was there before can be undone with
   * the import. Returns whether any was new.
   */
  #addHighlights(
    { rowId, deletedAt }: SamePage,
    { highlights: more = [], ...draft }: ImportDraft,
    isOwn: boolean
  ): boolean {
    if (more.length === 0 || draft.deletedAt !== null || deletedAt !== null) return false
    const before = highlightsOf(this.#db, rowId)
    const highlights = uniteHighlights(before, more)
    if (highlights.length === before.length) return false
    this.#highlighted.push(rowId)
    if (isOwn) writeHighlights(this.#db, rowId, highlights)
    else {
      const replaced = replaceState(this.#db, rowId, { highlights }, this.#step.at)
      if (replaced) recordChange(this.#db, this.#step, rowId, replaced)
    }
    return true
  }

  /** Gives them at the end: of a bookmark that this batch inserted, its own come first. */
  #mergeTags(rowId: number, tags: string[]): void {
    const all = this.#merged.get(rowId) ?? new Set()
    for (const tag of tags) if (all.size < LIMITS.tags) all.add(tag)
    this.#merged.set(rowId, all)
  }

  /**
   * Inserts a bookmark that an export has beside another of its page. The page is that of the one that is not in the
   * trash, or of the first.
   */
  #insertBeside({ rowId, deletedAt }: SamePage, draft: ImportDraft): ImportedStatus {
    if (draft.deletedAt !== null || deletedAt === null) this.#insert({ ...draft, pageKey: null })
    else {
      giveUpPage(this.#db, rowId)
      this.#insert(draft)
    }
    return 'saved'
  }

  /** Returns false if a bookmark has its id, or is its page. */
  #insert(draft: ImportDraft): boolean {
    assertWhole(this.#db, draft)
    return this.#new.insert(draft, draft.id ?? this.#nextId())
  }
}

/** Replaces the table's own checks, which cost a quarter of a row. */
function assertWhole(db: WriteConnection, { owner, visibility, picture }: ImportDraft): void {
  if ((visibility === 'organization') !== (owner !== null)) throw new Error(`a bookmark of ${owner} is ${visibility}`)
  assertOwner(db, owner)
  if (picture !== undefined && !exists(db)`SELECT 1 FROM pictures WHERE hash = ${picture}`) {
    throw new Problem('not-found', 'A picture of this import was deleted meanwhile. Import the file again.')
  }
}

/** Many new bookmarks of one transaction: their words are indexed later, and what concerns all is written once. */
export class NewRows {
  readonly #db: WriteConnection
  readonly #tagOf: (name: string) => number
  readonly #tally = filterTally()
  readonly #taggings: number[] = []
  #last = 0
  /** The lowest row id; Infinity while there is none. */
  first = Infinity
  /** Row ids without the trash. */
  readonly saved: number[] = []

  constructor(db: WriteConnection) {
    this.#db = db
    this.#tagOf = memoize((name: string) => findOrMakeTag(db, name))
  }

  /** Returns false if a bookmark has its id, or is its page. */
  insert(row: NewRow & Pick<ImportDraft, 'pageText'>, id: string): boolean {
    const tagIds = ascending(row.tags.map(this.#tagOf))
    const groups = row.deletedAt === null ? this.#tally.groupsOf(row, tagIds) : undefined
    const filters = groups ? this.#tally.textOf(groups) : null
    const rowId = insertRow(this.#db, row, id, filters)
    if (rowId === undefined) return false
    if (this.first === Infinity) this.first = rowId
    if (row.pageText) writeImportedText(this.#db, rowId, row.pageText)
    writeReading(this.#db, rowId, row)
    this.#last = rowId
    if (groups) {
      this.#tally.count(groups)
      this.saved.push(rowId)
    }
    for (const tag of tagIds) this.#taggings.push(tagging(rowId - this.first, tag))
    return true
  }

  /** Gives all their tags, leaves their words to the background, and records them in an import's step. */
  end(step: UndoStep): void {
    if (this.first === Infinity) return
    giveTags(this.#db, this.first, this.#taggings)
    recordNew(this.#db, step, this.first, this.#last)
    searchIndex(this.#db).addCounts(this.#tally.counts())
  }
}
