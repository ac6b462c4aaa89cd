import type { ImportDraft } from '../../contract/library-export.ts'
import { memoize } from '../../core/memoize.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { filterTally } from '../../search/sql/indexed-row.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { writeImportedText } from '../pages/page-texts.ts'
import { insertRow, type NewRow } from './bookmark-inserts.ts'
import { ascending, findOrMakeTag, giveTags, tagging } from './bookmark-state.ts'
import { recordNew, type UndoStep } from './undo-steps.ts'

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
