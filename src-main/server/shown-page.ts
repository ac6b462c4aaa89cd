import type { PageOfBookmark } from '../actions/bookmarks/read-bookmark.ts'
import { isoTime } from '../core/iso-time.ts'

/** A bookmark's page as the API shows it: times as ISO 8601. */
export function shownPage(page: PageOfBookmark) {
  if (page.status === 'none') return { status: page.status }
  const { due, readAt, publishedAt, link, ...rest } = page
  const { state = 'unknown', fault = null, movedTo = null, checkedAt = null } = link ?? {}
  return {
    ...rest,
    due: isoTime(due),
    readAt: isoTime(readAt),
    publishedAt: isoTime(publishedAt),
    link: { state, fault, movedTo, checkedAt: isoTime(checkedAt) }
  }
}
