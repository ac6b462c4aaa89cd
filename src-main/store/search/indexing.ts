import { indexMerge } from '../../search/sql/index-merge.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { unindexedReads } from '../../search/sql/unindexed.ts'
import { pageKeyWrites } from '../bookmarks/page-keys.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'

/** The search index, as far as others hurry it on. */
export const indexing = family({
  here(db) {
    const { isIndexing } = unindexedReads(db)
    return { isIndexing }
  },
  slow(db) {
    const { countUnindexedRows } = unindexedReads(db)
    const uncounted = db
      .prepare<[], number>('SELECT count(*) FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL')
      .pluck()
    return { countUnindexed: () => (uncounted.get() ?? 0) + countUnindexedRows() }
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

/** What the writing thread does by itself while nobody writes. Each does a part, and is false when nothing is left. */
export function indexWork(db: WriteConnection) {
  const index = searchIndex(db)
  return {
    rebuildSome: (idle?: boolean) => index.rebuildSome(idle),
    hasStale: () => index.hasStale(),
    ...pageKeyWrites(db),
    ...indexMerge(db)
  }
}
