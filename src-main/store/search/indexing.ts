import type { WriteConnection } from '../../database/connection.ts'
import { indexMerge } from '../../search/sql/index-merge.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { rekeySome } from '../bookmarks/page-keys.ts'
import type { Written } from '../calls.ts'

/** Indexes some of what imports left to the background, and returns how many; 0 when none is left. */
export function indexSome(db: WriteConnection): Written<number> {
  const indexed = searchIndex(db).indexSome()
  // What is indexed is due to be read from then on.
  return { answer: indexed, events: indexed > 0 ? [{ kind: 'details' }] : [] }
}

/** Returns the work of the writing thread while nobody writes. Each call does a part, and is false when none is left. */
export function indexWork(db: WriteConnection) {
  const index = searchIndex(db)
  return {
    rebuildSome: (idle?: boolean) => index.rebuildSome(idle),
    hasStale: () => index.hasStale(),
    rekeySome: () => db.transaction(rekeySome)(db),
    ...indexMerge(db)
  }
}
