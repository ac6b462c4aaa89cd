import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft } from '../../contract/library-import.ts'
import { Problem } from '../../contract/problem.ts'
import { memoize } from '../../core/memoize.ts'
import { filterTally } from '../../search/sql/filter-tally.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { createPublicIds } from '../public-id.ts'
import { exists } from '../statements.ts'
import { insertRow, takeFromTrash } from './bookmark-inserts.ts'
import { ascending, findOrMakeTag, giveTags, tagging } from './bookmark-tags.ts'
import { noteAdded, noteRestored, type StoredImport, wasAdded } from './import-ranges.ts'
import { findSame } from './same-bookmark.ts'

/** One transaction of an import: drafts one after the other, and then what concerns all of them at once. */
export class ImportBatch {
  readonly #db: WriteConnection
  readonly #import: StoredImport
  readonly #nextId = createPublicIds()
  readonly #tagOf: (name: string) => number
  readonly #tally = filterTally()
  readonly #restored: number[] = []
  readonly #taggings: number[] = []
  #first: number | undefined
  #last = 0

  constructor(db: WriteConnection, of: StoredImport) {
    this.#db = db
    this.#import = of
    this.#tagOf = memoize((name: string) => findOrMakeTag(db, name))
  }

  add(draft: ImportDraft): SavedBookmark['status'] {
    // A page is inserted without asking first: its index is looked into once.
    if (draft.pageKey !== null && this.#insert(draft)) return 'saved'
    const found = findSame(this.#db, draft)
    if (!found) {
      this.#insert(draft)
      return 'saved'
    }
    if (found.deletedAt === null || draft.deletedAt !== null) return 'existing'
    takeFromTrash(this.#db, found.rowId, this.#import.at)
    this.#restored.push(found.rowId)
    // A file may hold a page twice, in the trash and not.
    const isOwn = found.rowId >= (this.#first ?? Infinity) || wasAdded(this.#db, this.#import.id, found.rowId)
    if (isOwn) return 'existing'
    noteRestored(this.#db, this.#import.id, found)
    return 'saved'
  }

  end(): void {
    const index = searchIndex(this.#db)
    if (this.#first !== undefined) {
      giveTags(this.#db, this.#first, this.#taggings)
      noteAdded(this.#db, this.#import.id, this.#first, this.#last)
      index.defer(this.#first, this.#last, this.#tally.counts())
    }
    index.refresh(this.#restored)
  }

  /** False where a bookmark has its id, or is its page. */
  #insert(draft: ImportDraft): boolean {
    assertWhole(this.#db, draft)
    const tagIds = ascending(draft.tags.map(this.#tagOf))
    const groups = draft.deletedAt === null ? this.#tally.groupsOf(draft, tagIds) : undefined
    const filters = groups ? this.#tally.textOf(groups) : null
    const rowId = insertRow(this.#db, draft, draft.id ?? this.#nextId(), filters)
    if (rowId === undefined) return false
    this.#first ??= rowId
    this.#last = rowId
    if (groups) this.#tally.count(groups)
    for (const tag of tagIds) this.#taggings.push(tagging(rowId - this.#first, tag))
    return true
  }
}

/** Checks what the table would check of every row, for a quarter of what a row costs. */
function assertWhole(db: WriteConnection, { owner, visibility, picture }: ImportDraft): void {
  if ((visibility === 'organization') !== (owner !== null)) throw new Error(`a bookmark of ${owner} is ${visibility}`)
  if (owner !== null && !exists(db)`SELECT 1 FROM organizations WHERE id = ${owner}`) {
    throw new Problem('not-found', 'The organization is gone.')
  }
  if (picture !== undefined && !exists(db)`SELECT 1 FROM pictures WHERE hash = ${picture}`) {
    throw new Problem('not-found', 'A picture is gone.')
  }
}
