import type { SavedBookmark } from '../contract/bookmark.ts'
import type { ImportDraft } from '../contract/library-import.ts'
import type { Ports } from '../contract/ports.ts'

/** Says of each draft what saving it would answer. It holds what was seen, because a file may hold a page twice. */
export function createPreview(ports: Ports) {
  const seen = new Set<string>()
  return async (drafts: ImportDraft[]): Promise<{ statuses: SavedBookmark['status'][]; importId?: number }> => {
    const statuses = await ports.library.previewImport(drafts)
    return {
      statuses: statuses.map((status, index) => {
        const keys = keysOf(drafts[index] as ImportDraft)
        if (keys.some((key) => seen.has(key))) return 'existing'
        for (const key of keys) seen.add(key)
        return status
      })
    }
  }
}

function keysOf({ id, owner, pageKey, type, content }: ImportDraft): string[] {
  const same = pageKey === null ? (id === undefined ? `${type} ${content}` : '') : pageKey
  return [...(id === undefined ? [] : [`id ${id}`]), ...(same === '' ? [] : [`${owner ?? 0} ${same}`])]
}
