import type { KeyboardEvent } from 'react'
import type { State } from '../../../../src-main/contract/tag-names.ts'
import type { BookmarksQuery } from '../../../api/client.ts'
import { latinKey } from '../../../lib/keyboard.ts'
import { ARROWS } from '../../../lib/locale.ts'

/** A place in a list that moves: a bookmark, and the row it was last seen in. Without an id it is the row itself. */
export interface Anchor {
  id: string | undefined
  index: number
}

/** Where an anchor is now. `gone`: its bookmark was there, and another one has its row, or none. */
export interface Cursor {
  index: number
  gone: boolean
}

/** The rows that are known. */
interface KnownRows {
  count: number
  at(index: number): { id: string } | undefined
  /** The row of a bookmark, where it is among those that are known. */
  indexOf(id: string): number | undefined
}

/** Whether a bookmark is being taken away from here, which the list may not show yet. */
type IsLeaving = (id: string) => boolean

/** Finds an anchor in the list as it is now. */
export function locate({ id, index }: Anchor, rows: KnownRows): Cursor {
  const last = Math.max(0, rows.count - 1)
  if (id === undefined) return { index: Math.min(index, last), gone: false }
  const found = rows.indexOf(id)
  if (found !== undefined) return { index: found, gone: false }
  // Where nothing is known of a row, it may still be there.
  return { index: Math.min(index, last), gone: index > last || rows.at(index) !== undefined }
}

/** The anchor as its row, where its bookmark was taken away from here and is no longer in the list: it is the next one's. */
export function skipRemoved(anchor: Anchor, rows: KnownRows, isLeaving: IsLeaving): Anchor {
  const { id, index } = anchor
  return id !== undefined && isLeaving(id) && rows.indexOf(id) === undefined ? { id: undefined, index } : anchor
}

/** The row that keys act on from `index` on: the first that is known and not on its way out. */
export function firstStaying(index: number, rows: KnownRows, isLeaving: IsLeaving): number | undefined {
  for (let row = index; row < rows.count; row++) {
    const known = rows.at(row)
    if (!known) return undefined
    if (!isLeaving(known.id)) return row
  }
  return undefined
}

/** The anchor again as it is now: under its bookmark, where that is known. */
export function reanchor(anchor: Anchor, rows: KnownRows): Anchor {
  const { index, gone } = locate(anchor, rows)
  if (gone) return anchor
  const id = anchor.id ?? rows.at(index)?.id
  return id === anchor.id && index === anchor.index ? anchor : { id, index }
}

/** The query that decides what a list shows, whatever its order. */
export type Listed = Omit<BookmarksQuery, 'page' | 'limit' | 'order'>

/** Bookmarks as a change of many takes them: these, or all that a list shows but these. */
export type Chosen = { ids: string[] } | { all: Listed; except: string[] }

/** Bookmarks chosen for a change of many, and where a range begins. */
export interface Selection {
  /** The ids of the chosen bookmarks; with `all`, of those left out. */
  ids: ReadonlySet<string>
  /** All that the list shows, of which there are so many. */
  all?: { listed: Listed; count: number } | undefined
  /** The bookmark chosen last. */
  anchor: Anchor | undefined
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined }

/** Maximum number of bookmarks that can be selected one by one. */
export const MAX_SELECTED = 1000

/** How many are chosen. */
export function sizeOf({ ids, all }: Selection): number {
  return all ? Math.max(0, all.count - ids.size) : ids.size
}

/** Whether a bookmark is among them. */
export function holds({ ids, all }: Pick<Selection, 'ids' | 'all'>, id: string): boolean {
  return ids.has(id) !== (all !== undefined)
}

/** Returns the chosen bookmarks as a request names them. */
export function chosenBy({ ids, all }: Selection): Chosen {
  return all ? { all: all.listed, except: [...ids] } : { ids: [...ids] }
}

/** Whether a bookmark is among those that were chosen once. */
export function wasChosen(chosen: Chosen, id: string): boolean {
  return 'ids' in chosen ? chosen.ids.includes(id) : !chosen.except.includes(id)
}

/** Chooses a bookmark, or no longer. */
export function toggled({ ids, all }: Selection, id: string, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
  const anchor = { id, index }
  return all && next.size >= all.count ? { ids: new Set(), anchor } : { ids: next, all, anchor }
}

/** Chooses these no longer; what was chosen meanwhile stays. */
export function without(selection: Selection, gone: Chosen): Selection {
  const { ids, all, anchor } = selection
  if (!('ids' in gone) || all) return all && 'ids' in gone ? selection : NOTHING
  const left = new Set(ids)
  for (const id of gone.ids) left.delete(id)
  return left.size === 0 ? NOTHING : { ids: left, anchor }
}

/** The rows from where a range began, `anchor`, to `index`, both included, as many as can be chosen one by one. */
export function rangeTo(anchor: number, index: number): { from: number; to: number } {
  const to = Math.max(anchor - MAX_SELECTED + 1, Math.min(anchor + MAX_SELECTED - 1, index))
  return anchor <= to ? { from: anchor, to } : { from: to, to: anchor }
}

/** The effect of a key in a list. `extend` chooses everything on the way. */
export type ListKey =
  | { by: number; extend: boolean }
  | { rows: number; extend: boolean }
  | { to: number | 'end'; extend: boolean }
  | { act: 'open' | 'edit' | 'select' | 'delete' | 'all' | 'copy' | 'tag' | 'move' | 'leave' | State }

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * @param isGrid whether items are side by side
 * @param screen rows that fit in sight
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
