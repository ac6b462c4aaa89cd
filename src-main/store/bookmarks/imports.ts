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

/** Maximum number of imports in the list. */
const MAX_LISTED = 20

/** Begins an import and returns its id. All its bookmarks are one undo step. */
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
 * Adds a batch of an import's bookmarks. They are listed and counted immediately; their words are indexed later. SQLite's
 * own checks are off in this transaction. The import makes the same checks itself, at a quarter of the cost.
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

/** Returns `undefined` for a draft without a page. Browsers have no such bookmarks. */
function hashOf({ owner, pageKey }: Page): number | undefined {
  return pageKey === null ? undefined : hashText(`${owner ?? 0} ${pageKey}`)
}

/** The step of an import. */
export interface ImportStep {
  id: number
  /** When the import began, in milliseconds since 1970. */
  at: number
}

/** One transaction of an import. `add` adds a draft; `end` then writes tags, counts and the undo step for all drafts. */
class ImportBatch {
  readonly #db: WriteConnection
  readonly #step: ImportStep
  readonly #nextId = createPublicIds()
  readonly #new: NewRows
  /** Row ids of the bookmarks that were restored from the trash. */
  readonly #restored: number[] = []
  /** Tags to add to bookmarks that a draft was merged into, or that it restored from the trash, by row id. */
  readonly #merged = new Map<number, Set<string>>()
  /** Row ids of the stored bookmarks that got highlights. */
  readonly #highlighted: number[] = []
  /** The lowest row id of the bookmarks of this import's earlier batches; Infinity if there are none. */
  readonly #from: number

  constructor(db: WriteConnection, step: ImportStep) {
    this.#db = db
    this.#step = step
    this.#from = firstNew(db, step.id) ?? Infinity
    this.#new = new NewRows(db)
  }

  add(draft: ImportDraft): ImportedStatus {
    // Inserting finds a bookmark of the same page itself. A search before it would read that index twice.
    if (draft.pageKey !== null && this.#insert(draft)) return 'saved'
    const found = findSame(this.#db, draft)
    if (!found) {
      this.#insert(draft)
      return 'saved'
    }
    // A file may contain a page twice.
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
   * Merges another record of the same page into a bookmark of this import: adds its title and description to the
   * bookmark's description, and its tags to the tags, up to their limits. Returns `merged` if any text was new, and
   * `merged in part` if the description exceeded its limit.
   */
  #merge(rowId: number, { title, description, tags, url, visibility }: ImportDraft): ImportedStatus {
    const has = readRow<Record<'title' | 'description' | 'visibility', string>>(this.#db)`
      SELECT title, description, visibility FROM bookmarks WHERE id = ${rowId}`
    if (!has) return 'repeated'
    // If one of the two records is private, the bookmark becomes private.
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
   * Adds the highlights of another record of the same page. If the bookmark is older than this import, they are recorded,
   * so that the undo of the import removes them. Returns whether any highlight was new.
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

  /** Collects tags for `end`, which adds them after the tags that a bookmark of this batch has itself. */
  #mergeTags(rowId: number, tags: string[]): void {
    const all = this.#merged.get(rowId) ?? new Set()
    for (const tag of tags) if (all.size < LIMITS.tags) all.add(tag)
    this.#merged.set(rowId, all)
  }

  /**
   * Inserts a second bookmark of a page, which an export contains with another id. The first bookmark has the page key,
   * unless only the second is outside the trash.
   */
  #insertBeside({ rowId, deletedAt }: SamePage, draft: ImportDraft): ImportedStatus {
    if (draft.deletedAt !== null || deletedAt === null) this.#insert({ ...draft, pageKey: null })
    else {
      giveUpPage(this.#db, rowId)
      this.#insert(draft)
    }
    return 'saved'
  }

  /** Returns false if a bookmark already has this id or this page. */
  #insert(draft: ImportDraft): boolean {
    assertWhole(this.#db, draft)
    return this.#new.insert(draft, draft.id ?? this.#nextId())
  }
}

/** Replaces the checks of the table, which would take a quarter of the time of an insert. */
function assertWhole(db: WriteConnection, { owner, visibility, picture }: ImportDraft): void {
  if ((visibility === 'organization') !== (owner !== null)) throw new Error(`a bookmark of ${owner} is ${visibility}`)
  assertOwner(db, owner)
  if (picture !== undefined && !exists(db)`SELECT 1 FROM pictures WHERE hash = ${picture}`) {
    throw new Problem('not-found', 'A picture of this import was deleted meanwhile. Import the file again.')
  }
}

/** Inserts many new bookmarks in one transaction. `end` writes their tags and counts; their words are indexed later. */
export class NewRows {
  readonly #db: WriteConnection
  readonly #tagOf: (name: string) => number
  readonly #tally = filterTally()
  readonly #taggings: number[] = []
  #last = 0
  /** The lowest row id; Infinity before the first insert. */
  first = Infinity
  /** Row ids of the bookmarks outside the trash. */
  readonly saved: number[] = []

  constructor(db: WriteConnection) {
    this.#db = db
    this.#tagOf = memoize((name: string) => findOrMakeTag(db, name))
  }

  /** Returns false if a bookmark already has this id or this page. */
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

  /** Writes the tags and counts of all bookmarks, and records the bookmarks in the undo step of the import. */
  end(step: UndoStep): void {
    if (this.first === Infinity) return
    giveTags(this.#db, this.first, this.#taggings)
    recordNew(this.#db, step, this.first, this.#last)
    searchIndex(this.#db).addCounts(this.#tally.counts())
  }
}
