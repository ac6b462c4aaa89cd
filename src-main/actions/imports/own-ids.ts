import type { ImportDraft } from '../../contract/library-import.ts'
import { pageKey } from '../../core/page-key.ts'
import type { Ports } from '../ports.ts'

/** Drafts whose ids are remembered: more than wait to be written. */
const MOST_RECENT = 16_384

/**
 * Takes away the ids of drafts that another page has, so that they are imported under new ones: a file may be anybody's
 * work, and what shares no more than an id with a bookmark here is not that bookmark.
 */
export function createOwnIds({ library }: Pick<Ports, 'library'>): (drafts: ImportDraft[]) => Promise<ImportDraft[]> {
  /** Page keys by id, of drafts that the library may not hold yet. */
  const recent = new Map<string, string>()

  function remember(id: string, key: string): void {
    recent.set(id, key)
    if (recent.size <= MOST_RECENT) return
    for (const [oldest] of recent) return void recent.delete(oldest)
  }

  return async (drafts) => {
    const ids = drafts.filter(isPage).map(({ id }) => id)
    if (ids.length === 0) return drafts
    const known = new Map((await library.readBookmarks(ids)).map(({ id, url }) => [id, url]))
    return drafts.map((draft) => {
      if (!isPage(draft)) return draft
      const { id, ...rest } = draft
      const url = known.get(id)
      const key = recent.get(id) ?? (url === undefined ? draft.pageKey : url && pageKey(url))
      if (key !== draft.pageKey) return rest
      remember(id, key)
      return draft
    })
  }
}

function isPage(draft: ImportDraft): draft is ImportDraft & { id: string; pageKey: string } {
  return draft.id !== undefined && draft.pageKey !== null && draft.url !== null
}
