import { LIMITS } from '../../contract/bookmark.ts'
import type { ImportDraft, ImportedStatus } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { cut } from '../../core/clean-text.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRow, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { createPublicIds } from '../public-id.ts'
import { assertOwner, findSame, giveUpPage, makePrivate, type SamePage, takeFromTrash } from './bookmark-inserts.ts'
import { addTags } from './bookmark-state.ts'
import { NewRows } from './new-rows.ts'
import { deferRules } from './rules.ts'
import { firstNew, isNewIn, recordChange } from './undo-steps.ts'

/** The step of an import. */
export interface ImportStep {
  id: number
  /** When the import began, in milliseconds since 1970. */
  at: number
}

/** One transaction of an import: drafts one after the other, and then what concerns all of them at once. */
export class ImportBatch {
  readonly #db: WriteConnection
  readonly #step: ImportStep
  readonly #nextId = createPublicIds()
  readonly #new: NewRows
  /** Row ids of the bookmarks that were restored from the trash. */
  readonly #restored: number[] = []
  /** The tags of records that were merged into others, or brought them back from the trash, by row id. */
  readonly #merged = new Map<number, Set<string>>()
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
    if (isOwn && found.publicId !== draft.id && draft.id !== undefined) return this.#insertBeside(found, draft)
    if (draft.deletedAt !== null) return isOwn ? 'repeated' : 'existing'
    if (found.deletedAt === null) return isOwn ? this.#merge(found.rowId, draft) : 'existing'
    const { at } = this.#step
    const before = takeFromTrash(this.#db, found.rowId, at, { ...draft, tags: [] })
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
    searchIndex(this.#db).refresh([...this.#merged.keys()])
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
