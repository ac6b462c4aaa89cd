import { queryClient } from '../api/events.ts'
import { listOptions, statusOptions } from '../api/queries.ts'
import { queryOf, viewOf } from '../features/bookmarks/search/view.ts'
import { withoutOpened } from '../lib/opened.ts'

/** Asks for what the address shows while the page is still being built. Who shows it tells what went wrong. */
export function askEarly({ pathname, search }: Location): void {
  if (pathname === '/login') return
  void queryClient.prefetchQuery(statusOptions)
  const view = viewOf(pathname, withoutOpened(search))
  if (view) void queryClient.prefetchQuery(listOptions(queryOf(view, false), 1))
}
