import { firstPageOf } from '../features/bookmarks/list/use-pages.ts'
import { queryOf, viewOf } from '../features/bookmarks/search/view.ts'
import { withoutOpened } from '../shared/opened.ts'
import { queryClient } from '../shared/query-client.ts'
import { statusOptions } from '../shared/status.ts'

/** Asks for what the address shows while the page is still being built. Who shows it tells what went wrong. */
export function askEarly({ pathname, search }: Location): void {
  if (pathname === '/login') return
  void queryClient.prefetchQuery(statusOptions)
  const view = viewOf(pathname, withoutOpened(search))
  if (view) void queryClient.prefetchQuery(firstPageOf(queryOf(view, false)))
}
