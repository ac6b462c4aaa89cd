import type { KeyboardEvent } from 'react'
import type { State } from '../../../../src-main/contract/tag-names.ts'
import type { BookmarksQuery } from '../../../api/client.ts'
import { latinKey } from '../../../lib/keyboard.ts'
import { ARROWS } from '../../../lib/locale.ts'

/** A position in a list that changes: a bookmark, and the row it was in last. Without an id, it is the row. */
export interface Anchor {
  id: string | undefined
  index: number
}

/** The current row of an anchor. `gone`: its bookmark is no longer in the list. */
export interface Cursor {
  index: number
  gone: boolean
}

/** The loaded rows of a list. */
interface LoadedRows {
  count: number
  at(index: number): { id: string } | undefined
  /** Returns the row of a bookmark; `undefined` if it is not loaded. */
  indexOf(id: string): number | undefined
}

/** Whether a bookmark is being removed from the list, which may still show it. */
type IsLeaving = (id: string) => boolean

/** Returns the current row of an anchor. */
export function locate({ id, index }: Anchor, rows: LoadedRows): Cursor {
  const last = Math.max(0, rows.count - 1)
  if (id === undefined) return { index: Math.min(index, last), gone: false }
  const row = rows.indexOf(id)
  if (row !== undefined) return { index: row, gone: false }
  // If the row is not loaded, the bookmark may still be in it.
  return { index: Math.min(index, last), gone: index > last || rows.at(index) !== undefined }
}

/** Returns an anchor of the row alone if its bookmark was removed, so that it becomes that of the next bookmark. */
export function skipRemoved(anchor: Anchor, rows: LoadedRows, isLeaving: IsLeaving): Anchor {
  const { id, index } = anchor
  return id !== undefined && isLeaving(id) && rows.indexOf(id) === undefined ? { id: undefined, index } : anchor
}

/** Returns the first row from `index` on whose bookmark is not being removed; `undefined` if it is not loaded. */
export function firstRemaining(index: number, rows: LoadedRows, isLeaving: IsLeaving): number | undefined {
  for (let row = index; row < rows.count; row++) {
    const bookmark = rows.at(row)
    if (!bookmark) return undefined
    if (!isLeaving(bookmark.id)) return row
  }
  return undefined
}

/** Updates an anchor with its current row, and with the bookmark in the row if it has none. */
export function reanchor(anchor: Anchor, rows: LoadedRows): Anchor {
  const { index, gone } = locate(anchor, rows)
  if (gone) return anchor
  const id = anchor.id ?? rows.at(index)?.id
  return id === anchor.id && index === anchor.index ? anchor : { id, index }
}

/** The query of a list, without its order. */
export type Listed = Omit<BookmarksQuery, 'page' | 'limit' | 'order'>

/** The bookmarks of a bulk change: those with these ids, or all of a list except some. */
export type Chosen = { ids: string[] } | { all: Listed; except: string[] }

/** The selected bookmarks, and the start of a range. */
export interface Selection {
  /** The ids of the selected bookmarks; with `all`, of those that are not selected. */
  ids: ReadonlySet<string>
  /** The query of the list and its number of bookmarks, if all of them are selected. */
  all?: { listed: Listed; count: number } | undefined
  /** The bookmark that was selected last. */
  anchor: Anchor | undefined
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined }

/** Maximum number of bookmarks that can be selected one by one. */
export const MAX_SELECTED = 1000

/** Returns the number of selected bookmarks. */
export function sizeOf({ ids, all }: Selection): number {
  return all ? Math.max(0, all.count - ids.size) : ids.size
}

/** Whether a bookmark is selected. */
export function isSelected({ ids, all }: Pick<Selection, 'ids' | 'all'>, id: string): boolean {
  return ids.has(id) !== (all !== undefined)
}

/** Returns the selected bookmarks for a request. */
export function chosenBy({ ids, all }: Selection): Chosen {
  return all ? { all: all.listed, except: [...ids] } : { ids: [...ids] }
}

/** Whether a bookmark is one of the chosen ones. */
export function isChosen(chosen: Chosen, id: string): boolean {
  return 'ids' in chosen ? chosen.ids.includes(id) : !chosen.except.includes(id)
}

/** Selects a bookmark, or deselects it. */
export function toggleSelected({ ids, all }: Selection, id: string, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
  const anchor = { id, index }
  return all && next.size >= all.count ? { ids: new Set(), anchor } : { ids: next, all, anchor }
}

/** Deselects some bookmarks. Those that were selected since then stay selected. */
export function deselectChosen(selection: Selection, chosen: Chosen): Selection {
  const { ids, all, anchor } = selection
  if (!('ids' in chosen) || all) return all && 'ids' in chosen ? selection : NOTHING
  const remaining = new Set(ids)
  for (const id of chosen.ids) remaining.delete(id)
  return remaining.size === 0 ? NOTHING : { ids: remaining, anchor }
}

/** Returns the rows of a range from `anchor` to `index`, both included, but at most `MAX_SELECTED`. */
export function rangeTo(anchor: number, index: number): { from: number; to: number } {
  const to = Math.max(anchor - MAX_SELECTED + 1, Math.min(anchor + MAX_SELECTED - 1, index))
  return anchor <= to ? { from: anchor, to } : { from: to, to: anchor }
}

/** The effect of a key in a list. `extend`: the rows on the way are selected. */
export type ListKey =
  | { by: number; extend: boolean }
  | { rows: number; extend: boolean }
  | { to: number | 'end'; extend: boolean }
  | { act: 'open' | 'edit' | 'select' | 'delete' | 'all' | 'copy' | 'tag' | 'move' | 'leave' | State }

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * @param isGrid whether items are side by side
 * @param screen the number of visible rows
 */
export function readKey(event: KeyPress, isGrid: boolean, screen: number): ListKey | undefined {
  const { shiftKey: extend, altKey } = event
  const key = latinKey(event)
  const command = event.ctrlKey || event.metaKey
  if (altKey) return undefined
  if (command) return key.toLowerCase() === 'a' ? { act: 'all' } : undefined
  const rows = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: screen, PageUp: -screen }[key]
  if (rows) return { rows, extend }
  if (isGrid && key === ARROWS.end) return { by: 1, extend }
  if (isGrid && key === ARROWS.start) return { by: -1, extend }
  if (key === 'Home') return { to: 0, extend }
  if (key === 'End') return { to: 'end', extend }
  const act = ACTS[key]
  return act && { act }
}

const ACTS: Record<string, Extract<ListKey, { act: unknown }>['act']> = {
  Enter: 'edit',
  e: 'edit',
  o: 'open',
  t: 'tag',
  m: 'move',
  x: 'select',
  ' ': 'select',
  c: 'copy',
  f: 'favorite',
  u: 'unread',
  a: 'archived',
  Delete: 'delete',
  Backspace: 'delete',
  Escape: 'leave'
}
