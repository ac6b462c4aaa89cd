import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { createStore, useStore } from './store.ts'

/** The query parameter with the id of the bookmark whose panel is open. */
export const OPENED_PARAM = 'open'

/** The query parameter that opens the reader: `START`, or the id of a highlight to show. */
export const READER_PARAM = 'read'

/** The number of requests to focus the panel; 0 while the list keeps the focus. */
const focusRequests = createStore(1)

/** The id of the bookmark whose panel is open. */
export const useOpened = (): string | undefined => openedIn(useSearch())

/** Changes whenever the panel should take the focus; 0 after a click on a row, because the list keeps the focus then. */
export const usePanelFocus = (): number => useStore(focusRequests)

/**
 * Opens a bookmark's panel; `undefined` closes it. Opening it adds an entry to the browser's history. Going on to another
 * bookmark replaces that entry, so that Back always closes the panel.
 *
 * @param how.on the page on which to open it, if the current page has no panel
 */
export function openBookmark(id: string | undefined, how: { clicked?: boolean; on?: string | undefined } = {}): void {
  // A panel that is closing must not take the focus.
  if (id !== undefined) focusRequests.set(how.clicked ? 0 : focusRequests.get() + 1)
  const now = openedIn(location.search)
  const { state } = history
  if (how.on !== undefined) navigate(withOpened(how.on, id))
  else if (id === undefined && state?.opened) goBack()
  else if (id !== now) {
    const address = withOpened(location.pathname + withoutOpened(location.search), id)
    const opened = now === undefined || state?.opened
    navigate(address, { replace: now !== undefined, state: { ...state, opened } })
  }
}

let isGoingBack = false

/** Goes back one entry of the history, even if it is called again before the browser has done so. */
export function goBack(): void {
  if (isGoingBack) return
  isGoingBack = true
  addEventListener(
    'popstate',
    () => {
      isGoingBack = false
    },
    { once: true }
  )
  history.back()
}

/** The value of `READER_PARAM` for reading on from the stored place. */
export const START = '1'

/**
 * Opens the text of a bookmark, by default of the open one, or shows one of its highlights. This adds an entry to the
 * browser's history. Going on to another text replaces the entry. The entry before it is then that of another bookmark,
 * so that closing the reader replaces the entry too, instead of going back.
 */
export function openReader(id?: string, highlight = START): void {
  const query = new URLSearchParams(location.search)
  const replace = query.has(READER_PARAM)
  if (id !== undefined) query.set(OPENED_PARAM, id)
  query.set(READER_PARAM, highlight)
  const state = { ...history.state, reading: !replace }
  if (replace) state.opened = false
  navigate(`${location.pathname}?${query}`, { replace, state })
}

/** Returns the address of a bookmark in the dashboard. */
export function addressOf(id: string): string {
  return location.origin + withOpened('/', id)
}

/** Returns an address that opens the bookmark that is open now. */
export function withSameOpened(address: string): string {
  return withOpened(address, openedIn(location.search))
}

function withOpened(address: string, id: string | undefined): string {
  if (id === undefined) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ [OPENED_PARAM]: id })}`
}

/** Removes the open bookmark from a query. Returns an empty text, or a query with its question mark. */
export function withoutOpened(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(OPENED_PARAM)
  query.delete(READER_PARAM)
  return query.size > 0 ? `?${query}` : ''
}

function openedIn(search: string): string | undefined {
  return new URLSearchParams(search).get(OPENED_PARAM) || undefined
}
