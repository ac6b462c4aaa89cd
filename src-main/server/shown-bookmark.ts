import type { Bookmark } from '../contract/bookmark.ts'

/** A bookmark as the API shows it: times as ISO 8601. */
export function shownBookmark({ createdAt, updatedAt, deletedAt, ...bookmark }: Bookmark & { snippet?: string }) {
  return {
    ...bookmark,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    deletedAt: deletedAt === null ? null : new Date(deletedAt).toISOString()
  }
}
