import { changeBookmarks } from '../bookmarks/change-bookmarks.ts'
import { findSaved } from '../bookmarks/find-saved.ts'
import type { Ports } from '../ports.ts'

/** Moves the profile's bookmark of a page to the trash; false where there is none. One of an organization stays. */
export async function removePage(ports: Ports, url: string): Promise<boolean> {
  const there = await findSaved(ports, url)
  if (!there || there.organization !== null) return false
  const { changed } = await changeBookmarks(ports, { ids: [there.id], change: { kind: 'delete' } })
  return changed > 0
}
