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

/** The view of Home. It is in the address, so that Back, Reload and a copied address show it. */
export interface View {
  /** Words and filters, as they are typed. */
  text: string
  /** The chosen order. By default, newest first, or best matches first if there are words. */
  order?: Order | undefined
}

/** The view of all bookmarks. */
const ALL: View = { text: '' }

/** Former paths for types, which are filters now. */
const PATHS = { '/links': 'link', '/images': 'image', '/colors': 'color', '/texts': 'text' } as const

const ORDERS = ['newest', 'oldest', 'title', 'site'] as const

/** Returns the view of an address; `undefined` for other pages than Home. */
export function viewOf(path: string, search: string): View | undefined {
  if (path !== '/' && !(path in PATHS)) return undefined
  const query = new URLSearchParams(search)
  const type = PATHS[path as keyof typeof PATHS]
  const former = [...(type ? [`type:${type}`] : []), ...formerFilters(query)]
  const words = query.get('q') ?? ''
  const text = former.length === 0 ? words : replaceFilters(words, () => false, former)
  return { text, order: readOrder(query.get('order')) }
}

/** Returns the filters of a former address, which had a parameter for each. Invalid values are ignored. */
function formerFilters(query: URLSearchParams): string[] {
  const read = (name: OwnFilterName, parameter: string, pattern = /\S/) => {
    const value = query.get(parameter)?.trim() ?? ''
    return pattern.test(value) ? [writeFilter(name, value)] : []
  }
  return [
    ...query
      .getAll('tag')
      .filter((tag) => tag.trim() !== '')
      .map((tag) => (parseTagFilter(tag).name === tag ? tagFilter(tag) : writeFilter('tag', tag))),
    ...read('site', 'domain'),
    ...read('visibility', 'visibility', /^(?:private|organization|public)$/),
    ...read('organization', 'organization'),
    ...read('is', 'is', /^(?:broken|moved)$/),
    ...read('last', 'days', /^[1-9]\d{0,2}$/).map((filter) => `${filter}d`),
    ...read('after', 'from', DAY),
    ...read('until', 'to', DAY),
    ...(query.get('untagged') === 'true' ? ['is:untagged'] : []),
    ...(query.get('opened') === 'true' ? ['is:opened'] : [])
  ]
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads an order. A random one has its seed in the address, so that Back and Reload show the same order. */
function readOrder(order: string | null): Order | undefined {
  const [, seed] = order?.match(/^random:(\d{1,9})$/) ?? []
  return ORDERS.find((name) => name === order) ?? (seed === undefined ? undefined : `random:${Number(seed)}`)
}

/** Returns the order of a name. Each random order has another seed. */
export function orderOf(name: string): Order | undefined {
  return name === 'random' ? `random:${Math.floor(Math.random() * 1e9)}` : ORDERS.find((order) => order === name)
}

export function viewAddress({ text, order }: View): string {
  return searchAddress(text, order)
}

/** Like `viewOf`, for a whole address. */
export function viewAt(address: string): View | undefined {
  const [path = '', search = ''] = address.split(/(?=\?)/)
  return viewOf(path, search)
}

/** Whether an address has the same bookmarks as the view, in any order. */
export function isShown(address: string, view: View): boolean {
  const other = viewAt(address)
  return other !== undefined && sortedText(other.text) === sortedText(view.text)
}

/** Whether the view and an address share a filter or a word, so that the view may be a changed version of the search. */
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

/** Whether the view has words, or other filters than a type. */
export function isFiltered({ text }: View): boolean {
  return replaceFilters(text, ({ name, minus }) => name === 'type' && !minus, []) !== ''
}

/** Returns the view without words and filters, except its type and its order. */
export function cleared({ text, order }: View): View {
  const type = typeOf(text)
  return { text: type ? `type:${type}` : '', order }
}

/** Returns the type that a text filters by. */
export function typeOf(text: string): BookmarkType | undefined {
  return valuesOf(text, 'type')[0]?.toLowerCase() as BookmarkType | undefined
}

/**
 * Returns the service's query for a view. Without words, filters become fields of the query: such a list has all orders
 * and an exact total. With words, they stay in the text of the search. Days are always fields, because the service reads
 * fields in this computer's time zone.
 *
 * @param typing whether the last word is not complete
 */
export function queryOf({ text, order }: View, typing = false): ListQuery {
  const { filters, rest } = readText(text, typing ? text.length : undefined)
  const query: ListQuery = {}
  const others = filters.filter((filter) => !moveToField(query, filter))
  const list = { ...query }
  const unlisted = others.filter((filter) => !moveToListField(list, filter))
  if (rest.trim() === '' && unlisted.length === 0) {
    return { ...list, order: query.opened ? undefined : (list.order ?? order ?? 'newest') }
  }
  const hasOrder = others.some(({ name }) => name === 'order')
  const ordered = (order === 'newest' || order === 'oldest') && !hasOrder ? [`order:${order}`] : []
  const words = joinText([...ordered, ...others.map(({ source }) => source)], typing ? rest.trimStart() : rest.trim())
  return { ...query, words, typing: typing ? 'true' : undefined }
}

/** Sets the field of the query for a filter that the text of a search cannot have. @returns whether there is one */
function moveToField(query: ListQuery, { name, value, minus }: TextFilter): boolean {
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

/** Sets the field of the query for a filter that lists also have. @returns whether there is one */
function moveToListField(query: ListQuery, { name, value, minus }: TextFilter): boolean {
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

/** Pause in typing before the service is queried, in ms. It usually answers in half of that. */
const PAUSE_MS = 30

/** The view of Home, which is in the address, and the functions that change it. */
export function useView() {
  const search = withoutOpened(useSearch())
  const [path, go] = useLocation()
  const view = useMemo(() => viewOf(path, search) ?? ALL, [path, search])
  const [typed, setTyped] = useState(view.text)
  // The text as it was typed, if its last word is not complete.
  const [openText, setOpenText] = useState<string>()
  const typing = openText !== undefined && openText.trim() === view.text.trim()
  const query = useMemo(() => queryOf(view, typing), [view, typing])

  const show = useCallback((next: View, replace = false) => go(withSameOpened(viewAddress(next)), { replace }), [go])
  // Typing replaces the entry of the history, so that Back leaves the search instead of removing a letter.
  const showTyped = useDebouncedCallback((text: string) => show({ ...view, text }, view.text !== ''), PAUSE_MS)

  // Back, Forward, links and the Filter menu also change the text.
  useEffect(() => {
    setTyped((current) => (current.trim() === view.text.trim() ? current : view.text))
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
      showTyped(text)
    },
    /** Replaces the text, with a new entry in the history. */
    set: useCallback(
      (text: string) => {
        showTyped.cancel()
        setTyped(text)
        setOpenText(undefined)
        show({ ...view, text })
      },
      [showTyped, show, view]
    ),
    /** Marks the text as complete. */
    commit() {
      setOpenText(undefined)
      showTyped.flush()
    }
  }
}
