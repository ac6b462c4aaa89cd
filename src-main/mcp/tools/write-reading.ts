import type { BookmarkReading } from '../../actions/bookmarks/read-bookmark.ts'
import { isoTime } from '../../core/iso-time.ts'

/** One bookmark with a piece of its text, as little JSON as says it all, in the form of a page of a search. */
export function writeReading(
  { bookmark, text, passages, hasMore, hint }: BookmarkReading,
  { page, limit }: { page: number; limit: number }
): string {
  const head = { total: bookmark ? 1 : 0, page, limit, hasMore, hint: hint || undefined }
  if (!bookmark) return JSON.stringify({ ...head, bookmarks: [] })
  const { id, type, title, url, description, tags, visibility, domain, createdAt } = bookmark
  const shown = {
    id,
    type,
    title: title || undefined,
    url: url || undefined,
    description: description || undefined,
    tags: tags.length > 0 ? tags : undefined,
    visibility,
    domain: domain || undefined,
    createdAt: isoTime(createdAt),
    text: text || undefined,
    passages
  }
  return JSON.stringify({ ...head, bookmarks: [shown] })
}
