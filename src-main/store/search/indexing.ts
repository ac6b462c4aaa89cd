import type { Caller } from '../../contract/caller.ts'
import { indexMerge } from '../../search/sql/index-merge.ts'
import { countUnindexed, isIndexing } from '../../search/sql/index-queue.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { pageKeyWrites } from '../bookmarks/page-keys.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'

/** The search index, as far as others hurry it on. */
export const indexing = family({
  here(db) {
    return { isIndexing: (caller: Caller) => isIndexing(db, caller) }
  },
  slow(db) {
    return { countUnindexed: () => countUnindexed(db) }
  },
  writes(db) {
    const index = searchIndex(db)
    return { indexSome: () => index.indexSome() }
  },
  emits: {
    // What is indexed is due to be read from then on.
    indexSome: (indexed) => (indexed > 0 ? [{ kind: 'details' }] : [])
  }
})

/** Returns the work of the writing thread while nobody writes. Each call does a part, and is false when none is left. */
export function indexWork(db: WriteConnection) {
  const index = searchIndex(db)
  return {
    rebuildSome: (idle?: boolean) => index.rebuildSome(idle),
    hasStale: () => index.hasStale(),
    ...pageKeyWrites(db),
    ...indexMerge(db)
  }
}
