import type { PageOfBookmark } from '../actions/page-of-bookmark.ts'

/** A bookmark's page as the API shows it: times as ISO 8601. */
export function shownPage(page: PageOfBookmark) {
  if (page.status === 'none') return { status: page.status }
  const { due, readAt, publishedAt, ...rest } = page
  return { ...rest, due: iso(due), readAt: iso(readAt), publishedAt: iso(publishedAt) }
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
