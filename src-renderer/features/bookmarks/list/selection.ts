import type { BookmarksQuery } from '../../../api/client.ts'
import type { Anchor } from './cursor.ts'

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
