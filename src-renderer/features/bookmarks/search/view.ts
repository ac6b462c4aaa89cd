import { useDebouncedCallback } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { BookmarkType, Visibility } from '../../../../src-main/contract/bookmark.ts'
import type { LinkMark } from '../../../../src-main/contract/link-check.ts'
import type { BookmarksQuery } from '../../../api/client.ts'
import { withoutOpened, withSameOpened } from '../../../lib/opened.ts'

export type Order = 'newest' | 'oldest' | 'title' | 'site' | `random:${number}`

/** The view of Home: its path says the type, its query the rest, so that back, reload and a copied address work. */
export interface View {
  type?: BookmarkType | undefined
  words: string
  tags: string[]
  domain?: string | undefined
  visibility?: Visibility | undefined
  /** An organization's name or id. */
  organization?: string | undefined
  /** The fault of the link. */
  is?: LinkMark | undefined
  /** Saved in so many days up to now. */
  days?: number | undefined
  /** Saved from this day to that one, both included: `2026-01-31`. */
  from?: string | undefined
  to?: string | undefined
  untagged?: true | undefined
  /** Opened lately, the last one first. */
  opened?: true | undefined
  order: Order
}

const PATHS = { link: '/links', image: '/images', color: '/colors', text: '/texts' } as const
const TYPES = ['link', 'image', 'color', 'text'] as const
const VISIBILITIES = ['private', 'organization', 'public'] as const
const MARKS = ['broken', 'moved'] as const
const ORDERS = ['newest', 'oldest', 'title', 'site'] as const
const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads an address. What it does not understand does not filter. */
export function readView(type: BookmarkType | undefined, search: string): View {
  const query = new URLSearchParams(search)
  const text = (name: string) => query.get(name)?.trim() || undefined
  const day = (name: string) => text(name)?.match(DAY)?.[0]
  const days = Number(text('days')?.match(/^[1-9]\d{0,4}$/)?.[0])
  const is = MARKS.find((one) => one === query.get('is'))
  const visibility = VISIBILITIES.find((one) => one === query.get('visibility'))
  return {
    type,
    words: query.get('q') ?? '',
    tags: query.getAll('tag').filter((tag) => tag.trim() !== ''),
    domain: text('domain'),
    visibility,
    organization: text('organization'),
    is,
    days: days || undefined,
    from: day('from'),
    to: day('to'),
    untagged: query.get('untagged') === 'true' ? true : undefined,
    opened: query.get('opened') === 'true' ? true : undefined,
    order: ORDERS.find((one) => one === query.get('order')) ?? readRandom(query.get('order')) ?? 'newest'
  }
}

/** The seed stands in the address, so that back and reload show the same order. */
function readRandom(order: string | null): Order | undefined {
  const [, seed] = order?.match(/^random:(\d{1,9})$/) ?? []
  return seed === undefined ? undefined : `random:${Number(seed)}`
}

/** Returns the order of this name; a random one is another each time. */
export function orderOf(name: string): Order {
  return ORDERS.find((one) => one === name) ?? `random:${Math.floor(Math.random() * 1e9)}`
}

/** The address of a view. */
export function viewAddress({ type, words, tags, order, ...filters }: View): string {
  const query = new URLSearchParams()
  if (words !== '') query.set('q', words)
  for (const tag of tags) query.append('tag', tag)
  for (const name of FILTERS) if (filters[name]) query.set(name, String(filters[name]))
  if (order !== 'newest') query.set('order', order)
  const search = query.toString()
  return `${type ? PATHS[type] : '/'}${search && `?${search}`}`
}

/** The filters beside words and tags, in the order of an address. */
const FILTERS = [
  'domain',
  'visibility',
  'organization',
  'is',
  'days',
  'from',
  'to',
  'untagged',
  'opened'
] as const satisfies (keyof View)[]

/** Reads a whole address; `undefined` where it is of a page that lists no bookmarks. */
export function viewOf(path: string, search: string): View | undefined {
  if (path === '/') return readView(undefined, search)
  const type = TYPES.find((one) => PATHS[one] === path)
  return type && readView(type, search)
}

/** One address for all views that show the same bookmarks, in whatever order. */
function shownAddress(view: View): string {
  return viewAddress({ ...view, words: view.words.trim(), tags: view.tags.toSorted(), order: 'newest' })
}

/** Reads a whole address, as `viewOf` does of its parts. */
export function viewAt(address: string): View | undefined {
  const [path = '', search = ''] = address.split(/(?=\?)/)
  return viewOf(path, search)
}

/** Whether an address shows what the view does. */
export function isShown(address: string, view: View): boolean {
  const other = viewAt(address)
  return other !== undefined && shownAddress(other) === shownAddress(view)
}

/** The list of everything. */
export const ALL: View = { words: '', tags: [], order: 'newest' }

/** Whether the view holds back anything. */
export function isFiltered(view: View): boolean {
  return view.words.trim() !== '' || view.tags.length > 0 || FILTERS.some((name) => view[name])
}

/** The same view without words and filters. */
export function cleared({ type, order }: View): View {
  return { type, words: '', tags: [], order }
}

/** The view with a tag more, unless it has it already. */
export function withTag(view: View, tag: string): View {
  const has = view.tags.some((one) => one.toLowerCase() === tag.toLowerCase())
  return has ? view : { ...view, tags: [...view.tags, tag], untagged: undefined }
}

/** Returns the service's query for a view. Words, and what was opened lately, have an order of their own. */
export function queryOf(view: View, typing: boolean): Omit<BookmarksQuery, 'page' | 'limit'> {
  const { type, words, tags, domain, visibility, organization, is, days, from, to, untagged, opened, order } = view
  const searched = words.trim() !== ''
  return {
    order: searched || opened ? undefined : order,
    words: searched ? words : undefined,
    typing: searched && typing ? 'true' : undefined,
    tag: tags.length > 0 ? tags : undefined,
    type,
    domain,
    visibility,
    organization,
    is,
    days: days?.toString(),
    from,
    to,
    untagged: untagged && 'true',
    opened: opened && 'true'
  }
}

/** How long after a key the service is asked, in milliseconds. It answers in half of that. */
const PAUSE_MS = 30

/** The view of Home, kept in the address, and the function that changes it. */
export function useView(type: BookmarkType | undefined) {
  const search = withoutOpened(useSearch())
  const [, go] = useLocation()
  const view = useMemo(() => readView(type, search), [type, search])
  const [typed, setTyped] = useState(view.words)
  const [typing, setTyping] = useState(false)
  const query = useMemo(() => queryOf(view, typing && !/\s$/.test(view.words)), [view, typing])

  const show = useCallback((next: View, replace = false) => go(withSameOpened(viewAddress(next)), { replace }), [go])
  // What is typed replaces the address: one step back leaves the search, not a letter of it.
  const ask = useDebouncedCallback((words: string) => show({ ...view, words }, view.words !== ''), PAUSE_MS)

  // Back, forward and links change the words too.
  useEffect(() => setTyped((now) => (now.trim() === view.words.trim() ? now : view.words)), [view.words])

  return {
    view,
    query,
    show,
    typed,
    type(words: string) {
      setTyped(words)
      setTyping(true)
      ask(words)
    },
    /** The words are complete. */
    commit() {
      setTyping(false)
      ask.flush()
    }
  }
}
