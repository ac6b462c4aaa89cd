import { useDebouncedCallback } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import { parseTagFilter } from '../../../../src-main/contract/tag-names.ts'
import type { ListQuery } from '../../../api/queries.ts'
import {
  dayBefore,
  daysIn,
  joinText,
  type OwnFilterName,
  readText,
  replaceFilters,
  searchAddress,
  type TextFilter,
  tagFilter,
  valuesOf,
  writeFilter
} from '../../../lib/filters.ts'
import { withoutOpened, withSameOpened } from '../../../lib/opened.ts'

export type Order = 'newest' | 'oldest' | 'title' | 'site' | `random:${number}`

/** The view of Home, which its address holds, so that back, reload and a copied address work. */
export interface View {
  /** Words and filters, as they are typed. */
  text: string
  /** The chosen order. Without one: the newest first, and the best matches of words. */
  order?: Order | undefined
}

/** The list of everything. */
const ALL: View = { text: '' }

/** The paths of addresses from before types were filters. */
const PATHS = { '/links': 'link', '/images': 'image', '/colors': 'color', '/texts': 'text' } as const

const ORDERS = ['newest', 'oldest', 'title', 'site'] as const

/** Reads an address; `undefined` if it is of a page that lists no bookmarks. */
export function viewOf(path: string, search: string): View | undefined {
  if (path !== '/' && !(path in PATHS)) return undefined
  const query = new URLSearchParams(search)
  const type = PATHS[path as keyof typeof PATHS]
  const former = [...(type ? [`type:${type}`] : []), ...formerFilters(query)]
  const words = query.get('q') ?? ''
  const text = former.length === 0 ? words : replaceFilters(words, () => false, former)
  return { text, order: readOrder(query.get('order')) }
}

/** Returns the filters of an address that has a parameter for each. What it does not understand does not filter. */
function formerFilters(query: URLSearchParams): string[] {
  const written = (name: OwnFilterName, parameter: string, pattern = /\S/) => {
    const value = query.get(parameter)?.trim() ?? ''
    return pattern.test(value) ? [writeFilter(name, value)] : []
  }
  return [
    ...query
      .getAll('tag')
      .filter((tag) => tag.trim() !== '')
      .map((tag) => (parseTagFilter(tag).name === tag ? tagFilter(tag) : writeFilter('tag', tag))),
    ...written('site', 'domain'),
    ...written('visibility', 'visibility', /^(?:private|organization|public)$/),
    ...written('organization', 'organization'),
    ...written('is', 'is', /^(?:broken|moved)$/),
    ...written('last', 'days', /^[1-9]\d{0,2}$/).map((filter) => `${filter}d`),
    ...written('after', 'from', DAY),
    ...written('until', 'to', DAY),
    ...(query.get('untagged') === 'true' ? ['is:untagged'] : []),
    ...(query.get('opened') === 'true' ? ['is:opened'] : [])
  ]
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** The seed stands in the address, so that back and reload show the same random order. */
function readOrder(order: string | null): Order | undefined {
  const [, seed] = order?.match(/^random:(\d{1,9})$/) ?? []
  return ORDERS.find((one) => one === order) ?? (seed === undefined ? undefined : `random:${Number(seed)}`)
}

/** Returns the order of this name; a random one is another each time. */
export function orderOf(name: string): Order | undefined {
  return name === 'random' ? `random:${Math.floor(Math.random() * 1e9)}` : ORDERS.find((one) => one === name)
}

/** The address of a view. */
export function viewAddress({ text, order }: View): string {
  return searchAddress(text, order)
}

/** Reads a whole address, as `viewOf` does of its parts. */
export function viewAt(address: string): View | undefined {
  const [path = '', search = ''] = address.split(/(?=\?)/)
  return viewOf(path, search)
}

/** Whether an address shows the bookmarks that the view does, in whatever order. */
export function isShown(address: string, view: View): boolean {
  const other = viewAt(address)
  return other !== undefined && sortedText(other.text) === sortedText(view.text)
}

/** Whether the view has a filter or a word in common with an address, as a changed search has with the search it was. */
export function isVariant(address: string, view: View): boolean {
  const parts = partsOf(viewAt(address)?.text ?? '')
  return partsOf(view.text).some((part) => parts.includes(part))
}

function partsOf(text: string): string[] {
  const { filters, rest } = readText(text)
  return [...filters.map(({ source }) => source), ...rest.split(/\s+/).filter(Boolean)].map((part) =>
    part.toLowerCase()
  )
}

function sortedText(text: string): string {
  const { filters, rest } = readText(text)
  return joinText(filters.map(({ source }) => source.toLowerCase()).sort(), rest.trim())
}

/** Whether the view holds back anything but bookmarks of other types. */
export function isFiltered({ text }: View): boolean {
  return replaceFilters(text, ({ name, minus }) => name === 'type' && !minus, []) !== ''
}

/** The same view of everything, or of everything of its type. */
export function cleared({ text, order }: View): View {
  const type = typeOf(text)
  return { text: type ? `type:${type}` : '', order }
}

/** The type that a text asks for. */
export function typeOf(text: string): BookmarkType | undefined {
  return valuesOf(text, 'type')[0]?.toLowerCase() as BookmarkType | undefined
}

/**
 * Returns the service's query for a view. Filters alone are a list, which has every order and length; with words, they
 * are part of the search, which corrects them. Days are the service's fields in both, because there they are those of
 * this computer's time zone.
 *
 * @param typing whether the last word is not complete
 */
export function queryOf({ text, order }: View, typing = false): ListQuery {
  const { filters, rest } = readText(text, typing ? text.length : undefined)
  const query: ListQuery = {}
  const left = filters.filter((filter) => !takeOwn(query, filter))
  const list = { ...query }
  const unlisted = left.filter((filter) => !takeListed(list, filter))
  if (rest.trim() === '' && unlisted.length === 0) {
    return { ...list, order: query.opened ? undefined : (list.order ?? order ?? 'newest') }
  }
  const hasOrder = left.some(({ name }) => name === 'order')
  const ordered = (order === 'newest' || order === 'oldest') && !hasOrder ? [`order:${order}`] : []
  const words = joinText([...ordered, ...left.map(({ source }) => source)], typing ? rest.trimStart() : rest.trim())
  return { ...query, words, typing: typing ? 'true' : undefined }
}

/** Takes a filter that only a field of the query can say. @returns whether it did */
function takeOwn(query: ListQuery, { name, value, minus }: TextFilter): boolean {
  if (minus) return false
  const days = daysIn(value)
  if (name === 'organization' && !query.organization) query.organization = value
  else if (name === 'is' && value.toLowerCase() === 'opened') query.opened = 'true'
  else if (name === 'tag' && value.includes('"')) query.tag = [...(query.tag ?? []), value]
  else if (name === 'after' && days && !query.from) query.from = days.first
  else if (name === 'before' && days && !query.to) query.to = dayBefore(days.first)
  else if (name === 'until' && days && !query.to) query.to = days.last
  else if (name === 'on' && days && !query.from && !query.to) Object.assign(query, { from: days.first, to: days.last })
  else if (name === 'last' && !query.days && /[dw]$/i.test(value)) {
    query.days = String(Number.parseInt(value, 10) * (/w$/i.test(value) ? 7 : 1))
  } else return false
  return true
}

/** Takes a filter that a list has too. @returns whether it did */
function takeListed(query: ListQuery, { name, value, minus }: TextFilter): boolean {
  const lower = value.toLowerCase()
  if (minus) return false
  if (name === 'tag' && !/[,|]/.test(value)) query.tag = [...(query.tag ?? []), value]
  else if (name === 'site' && !query.domain && /^[^,/:]+\.[^,/*:]+$/.test(value)) query.domain = value
  else if (name === 'type' && !query.type) query.type = lower as BookmarkType
  else if (name === 'visibility' && !query.visibility) query.visibility = lower as ListQuery['visibility']
  else if (name === 'order' && !query.order) query.order = lower as Order
  else if (name === 'import' && !query.import && /^[1-9]\d{0,14}$/.test(value)) query.import = value
  else if (name === 'is' && lower === 'untagged') query.untagged = 'true'
  else if (name === 'is' && /^(?:broken|moved)$/.test(lower) && !query.is) query.is = lower as ListQuery['is']
  else if (name === 'is' && /^(?:favorite|unread|archived)$/.test(lower)) query.tag = [...(query.tag ?? []), lower]
  else return false
  return true
}

/** How long after a key the service is asked, in milliseconds. It answers in half of that. */
const PAUSE_MS = 30

/** The view of Home, kept in the address, and the function that changes it. */
export function useView() {
  const search = withoutOpened(useSearch())
  const [path, go] = useLocation()
  const view = useMemo(() => viewOf(path, search) ?? ALL, [path, search])
  const [typed, setTyped] = useState(view.text)
  // The text whose last word is not complete, while it is the view's.
  const [openText, setOpenText] = useState<string>()
  const typing = openText !== undefined && openText.trim() === view.text.trim()
  const query = useMemo(() => queryOf(view, typing), [view, typing])

  const show = useCallback((next: View, replace = false) => go(withSameOpened(viewAddress(next)), { replace }), [go])
  // What is typed replaces the address: one step back leaves the search, not a letter of it.
  const ask = useDebouncedCallback((text: string) => show({ ...view, text }, view.text !== ''), PAUSE_MS)

  // Back, forward, links and the Filter menu change the text too.
  useEffect(() => {
    setTyped((now) => (now.trim() === view.text.trim() ? now : view.text))
  }, [view.text])

  return {
    view,
    query,
    show,
    typed,
    /** @param isOpen whether the last word is not complete */
    type(text: string, isOpen: boolean) {
      setTyped(text)
      setOpenText(isOpen ? text : undefined)
      ask(text)
    },
    /** Sets the whole text: a step of its own in the history. */
    set: useCallback(
      (text: string) => {
        ask.cancel()
        setTyped(text)
        setOpenText(undefined)
        show({ ...view, text })
      },
      [ask, show, view]
    ),
    /** The text is complete. */
    commit() {
      setOpenText(undefined)
      ask.flush()
    }
  }
}
