import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { ImportDraft } from '../../contract/library-import.ts'
import { Problem } from '../../contract/problem.ts'
import { memoize } from '../../core/memoize.ts'
import { filterTally } from '../../search/sql/filter-tally.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { createPublicIds } from '../public-id.ts'
import { bookmarkInserts } from './bookmark-inserts.ts'
import { ascending, bookmarkTags, tagging } from './bookmark-tags.ts'
import { importRanges, type StoredImport } from './import-ranges.ts'
import { sameBookmark } from './same-bookmark.ts'

/** What batches of imports are made with. */
export type ImportTools = ReturnType<typeof importTools>

export function importTools(db: WriteConnection) {
  const { findOrMake } = bookmarkTags(db)
  const hasOwner = db.prepare('SELECT 1 FROM organizations WHERE id = ?')
  const hasPicture = db.prepare('SELECT 1 FROM pictures WHERE hash = ?')
  const [index, inserts, ranges] = [searchIndex(db), bookmarkInserts(db), importRanges(db)]
  return { index, inserts, ranges, findOrMake, same: sameBookmark(db), hasOwner, hasPicture }
}

/** One transaction of an import: drafts one after the other, and then what is told of all of them at once. */
export class ImportBatch {
  readonly #import: StoredImport
  readonly #tools: ImportTools
  readonly #nextId = createPublicIds()
  readonly #tagOf: (name: string) => number
  readonly #tally = filterTally()
  readonly #restored: number[] = []
  readonly #taggings: number[] = []
  #first: number | undefined
  #last = 0

  constructor(of: StoredImport, tools: ImportTools) {
    this.#import = of
    this.#tools = tools
    this.#tagOf = memoize(tools.findOrMake)
  }

  add(draft: ImportDraft): SavedBookmark['status'] {
    // A page is inserted without asking first: its index is looked into once.
    if (draft.pageKey !== null && this.#insert(draft)) return 'saved'
    const found = this.#tools.same(draft)
    if (!found) {
      this.#insert(draft)
      return 'saved'
    }
    if (found.deletedAt === null || draft.deletedAt !== null) return 'existing'
    this.#tools.inserts.restore(found.rowId, this.#import.at)
    this.#restored.push(found.rowId)
    // A file may hold a page twice, in the trash and not.
    const isOwn = found.rowId >= (this.#first ?? Infinity) || this.#tools.ranges.wasAdded(this.#import.id, found.rowId)
    if (isOwn) return 'existing'
    this.#tools.ranges.noteRestored(this.#import.id, found)
    return 'saved'
  }

  end(): void {
    const { index, inserts, ranges } = this.#tools
    if (this.#first !== undefined) {
      inserts.giveTags(this.#first, this.#taggings)
      ranges.noteAdded(this.#import.id, this.#first, this.#last)
      index.defer(this.#first, this.#last, this.#tally.counts())
    }
    index.refresh(this.#restored)
  }

  /** False where a bookmark has its id, or is its page. */
  #insert(draft: ImportDraft): boolean {
    this.#assertWhole(draft)
    const tagIds = ascending(draft.tags.map(this.#tagOf))
    const groups = draft.deletedAt === null ? this.#tally.groupsOf(draft, tagIds) : undefined
    const filters = groups ? this.#tally.textOf(groups) : null
    const rowId = this.#tools.inserts.insertUnindexed(draft, draft.id ?? this.#nextId(), filters)
    if (rowId === undefined) return false
    this.#first ??= rowId
    this.#last = rowId
    if (groups) this.#tally.count(groups)
    for (const tag of tagIds) this.#taggings.push(tagging(rowId - this.#first, tag))
    return true
  }

  /** What the table checks of every row, for a quarter of what a row costs. */
  #assertWhole({ owner, visibility, picture }: ImportDraft): void {
    const { hasOwner, hasPicture } = this.#tools
    if ((visibility === 'organization') !== (owner !== null)) throw new Error(`a bookmark of ${owner} is ${visibility}`)
    if (owner !== null && !hasOwner.get(owner)) throw new Problem('not-found', 'The organization is gone.')
    if (picture !== undefined && !hasPicture.get(picture)) throw new Problem('not-found', 'A picture is gone.')
  }
}
