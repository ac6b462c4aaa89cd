import type { PageOfBookmark } from '../actions/pages/page-of-bookmark.ts'

/** A bookmark's page as the API shows it: times as ISO 8601. */
export function shownPage(page: PageOfBookmark) {
  if (page.status === 'none') return { status: page.status }
  const { due, readAt, publishedAt, link, ...rest } = page
  const { state = 'unknown', fault = null, movedTo = null, checkedAt = null } = link ?? {}
  return {
    ...rest,
    due: iso(due),
    readAt: iso(readAt),
    publishedAt: iso(publishedAt),
    link: { state, fault, movedTo, checkedAt: iso(checkedAt) }
  }
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
