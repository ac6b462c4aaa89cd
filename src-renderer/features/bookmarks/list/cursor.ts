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
interface Rows {
  count: number
  at(index: number): { id: string } | undefined
  /** The row of a bookmark, where it is among those that are known. */
  indexOf(id: string): number | undefined
}

/** Whether a bookmark is being taken away from here, which the list may not show yet. */
type IsLeaving = (id: string) => boolean

/** Finds an anchor in the list as it is now. */
export function locate({ id, index }: Anchor, rows: Rows): Cursor {
  const last = Math.max(0, rows.count - 1)
  if (id === undefined) return { index: Math.min(index, last), gone: false }
  const found = rows.indexOf(id)
  if (found !== undefined) return { index: found, gone: false }
  // Where nothing is known of a row, it may still be there.
  return { index: Math.min(index, last), gone: index > last || rows.at(index) !== undefined }
}

/** The anchor as its row, where its bookmark was taken away from here and is no longer in the list: it is the next one's. */
export function skipRemoved(anchor: Anchor, rows: Rows, isLeaving: IsLeaving): Anchor {
  const { id, index } = anchor
  return id !== undefined && isLeaving(id) && rows.indexOf(id) === undefined ? { id: undefined, index } : anchor
}

/** The row that keys act on from `index` on: the first that is known and not on its way out. */
export function firstStaying(index: number, rows: Rows, isLeaving: IsLeaving): number | undefined {
  for (let row = index; row < rows.count; row++) {
    const known = rows.at(row)
    if (!known) return undefined
    if (!isLeaving(known.id)) return row
  }
  return undefined
}

/** The anchor again as it is now: under its bookmark, where that is known. */
export function reanchor(anchor: Anchor, rows: Rows): Anchor {
  const { index, gone } = locate(anchor, rows)
  if (gone) return anchor
  const id = anchor.id ?? rows.at(index)?.id
  return id === anchor.id && index === anchor.index ? anchor : { id, index }
}
