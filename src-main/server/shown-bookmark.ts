import type { Bookmark } from '../contract/bookmark.ts'
import { isoTime } from '../core/iso-time.ts'

/** A bookmark as the API shows it: times as ISO 8601. */
export function shownBookmark({ createdAt, updatedAt, deletedAt, ...bookmark }: Bookmark & { snippet?: string }) {
  return {
    ...bookmark,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    deletedAt: isoTime(deletedAt)
  }
}
