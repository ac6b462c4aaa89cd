import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { createStore, useStore } from './store.ts'

/** The part of an address's query that names the bookmark whose panel is open. */
export const NAME = 'open'

/** The part that says that its text is read. */
export const READER = 'read'

/** How often the panel was asked to take the keys; 0 while they are the list's. */
const focusAsked = createStore(1)

/** The id of the bookmark whose panel is open. */
export const useOpened = (): string | undefined => openedIn(useSearch())

/** Whether keys are the panel's now: another number each time that is asked for. After a click on a row they are the list's, 0. */
export const usePanelFocus = (): number => useStore(focusAsked)

/**
 * Opens a bookmark's panel, or with `undefined` closes it. Opening is a step in the browser's history, going on to
 * another bookmark is none: one step back closes the panel.
 *
 * @param how.on the page to open it on, where this one has no panel
 */
export function openBookmark(id: string | undefined, how: { clicked?: boolean; on?: string | undefined } = {}): void {
  // What closes must not take the keys once more.
  if (id !== undefined) focusAsked.set(how.clicked ? 0 : focusAsked.get() + 1)
  const now = openedIn(location.search)
  const { state } = history
  if (how.on !== undefined) navigate(withOpened(how.on, id))
  else if (id === undefined && state?.opened) stepBack()
  else if (id !== now) {
    const address = withOpened(location.pathname + withoutOpened(location.search), id)
    const opened = now === undefined || state?.opened
    navigate(address, { replace: now !== undefined, state: { ...state, opened } })
  }
}

let steppingBack = false

/** One step, however often it is asked for before it is made. */
export function stepBack(): void {
  if (steppingBack) return
  steppingBack = true
  addEventListener(
    'popstate',
    () => {
      steppingBack = false
    },
    { once: true }
  )
  history.back()
}

/** In an address, for reading on. */
export const TEXT = '1'

/**
 * Opens the text of a bookmark, by default of the one that is open, and may open one of its highlights: a step in the
 * browser's history. Going on to another text is none; then this entry is no longer the one after the panel, and is
 * replaced when what it shows is closed.
 */
export function openReader(id?: string, highlight = TEXT): void {
  const query = new URLSearchParams(location.search)
  const replace = query.has(READER)
  if (id !== undefined) query.set(NAME, id)
  query.set(READER, highlight)
  const state = { ...history.state, reading: !replace }
  if (replace) state.opened = false
  navigate(`${location.pathname}?${query}`, { replace, state })
}

/** The address of a bookmark, for whoever is logged in. */
export function addressOf(id: string): string {
  return location.origin + withOpened('/', id)
}

/** The address with the bookmark open that is open now. */
export function withSameOpened(address: string): string {
  return withOpened(address, openedIn(location.search))
}

/** The address with a bookmark open. */
function withOpened(address: string, id: string | undefined): string {
  if (id === undefined) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ [NAME]: id })}`
}

/** A query without the bookmark that is open; empty, or with its question mark. */
export function withoutOpened(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(NAME)
  query.delete(READER)
  return query.size > 0 ? `?${query}` : ''
}

function openedIn(search: string): string | undefined {
  return new URLSearchParams(search).get(NAME) || undefined
}
