/** The ratio and the date of a card, by which the grid lays it out. */
export interface CardLook {
  /** Width divided by height of its picture; `undefined` for a card without a picture. */
  ratio: number | undefined
  /** The heading of its date; `undefined` in lists that are not in the order of dates. */
  group: string | undefined
}

/** A row of cards. */
export interface GridRow {
  /** Index of its first card. */
  from: number
  /** Widths of its cards, in pixels. */
  widths: number[]
  /** Height of its cards, in pixels. */
  height: number
  /** The heading above it. */
  heading: string | undefined
  /** The top of the row, and its height with its heading and the gap below it, in pixels. */
  top: number
  size: number
}

/** Height of a heading above a row, in pixels. */
export const HEADING_HEIGHT = 38

/** Space between cards, in pixels. */
export const GRID_GAP = 14

/** Heights of pictures before a row is justified, of the text below them, and of cards without a picture, in pixels. */
const PICTURE_HEIGHT = 180
const CAPTION_HEIGHT = 84
const COMPACT_HEIGHT = 136

/** Minimum width of a card without a picture, in pixels. */
const COMPACT_WIDTH = 230

/** Limits of ratios. A wider or higher picture is cut, so that it does not need a row of its own. */
const MIN_RATIO = 0.6
const MAX_RATIO = 2.6

/**
 * Lays out cards in rows from left to right: each row is filled by scaling its pictures, as in Google Photos. The last
 * row before a heading is not stretched. A row without pictures is low, and its cards form columns.
 *
 * @param lookAt returns the card at an index; a card that is not loaded, `undefined`, counts as one without a picture
 * @param width in pixels
 */
export function layoutGrid(count: number, lookAt: (index: number) => CardLook | undefined, width: number): GridRow[] {
  const columns = Math.max(1, Math.floor((width + GRID_GAP) / (COMPACT_WIDTH + GRID_GAP)))
  const columnWidth = (width - (columns - 1) * GRID_GAP) / columns
  const naturalWidth = (look: CardLook | undefined) =>
    look?.ratio === undefined
      ? columnWidth
      : Math.min(width, PICTURE_HEIGHT * Math.min(MAX_RATIO, Math.max(MIN_RATIO, look.ratio)))

  const rows: GridRow[] = []
  let top = 0
  let group: string | undefined
  let index = 0
  while (index < count) {
    const first = lookAt(index)
    const heading = first?.group !== group ? first?.group : undefined
    group = first?.group ?? group
    const from = index
    const widths: number[] = []
    let sum = 0
    let hasPicture = false
    while (index < count) {
      const look = lookAt(index)
      if (index > from && look?.group !== undefined && group !== undefined && look.group !== group) break
      group ??= look?.group
      const next = naturalWidth(look)
      const gaps = widths.length * GRID_GAP
      // The card goes into this row if the row needs less scaling with it than without it.
      const over = sum + next + gaps - width
      const under = width - (sum + gaps - GRID_GAP)
      if (widths.length > 0 && over > 0.5 && (!(hasPicture || look?.ratio) || over > under)) break
      widths.push(next)
      sum += next
      hasPicture ||= look?.ratio !== undefined
      index += 1
      if (over >= -0.5) break
    }
    const room = width - (widths.length - 1) * GRID_GAP
    const following = lookAt(index)?.group
    const isFull = index < count && (following === undefined || following === group)
    const scale = hasPicture && (isFull || sum > room) ? room / sum : 1
    const height = hasPicture ? Math.round(PICTURE_HEIGHT * scale) + CAPTION_HEIGHT : COMPACT_HEIGHT
    const size = height + GRID_GAP + (heading === undefined ? 0 : HEADING_HEIGHT)
    rows.push({
      from,
      widths: scale === 1 ? widths : widths.map((cardWidth) => cardWidth * scale),
      height,
      heading,
      top,
      size
    })
    top += size
  }
  return rows
}

/** The facts about a list that the grid needs. */
interface GridContent {
  /** A different object for each list. */
  view: object
  count: number
  /** Whether there are no more cards than `count`. */
  isExact: boolean
  /** The loaded cards, with their indexes. */
  looks: Iterable<readonly [number, CardLook]>
  width: number
}

/**
 * Returns a function that lays out a list whenever it changes. It remembers the cards of pages that were unloaded, also
 * while a total that is not exact grows, so that no card moves. It forgets them if the view changes, or if cards were added
 * or removed.
 */
export function createGrid(): (content: GridContent) => GridRow[] {
  const seen = new Map<number, CardLook>()
  let last: (Pick<GridContent, 'view' | 'count' | 'width'> & { rows: GridRow[] }) | undefined

  return ({ view, count, isExact, looks, width }) => {
    const isMoved = last === undefined || (isExact ? count !== last.count : count < last.count)
    const isOther = isMoved || last?.view !== view
    if (isOther) seen.clear()
    let isSame = !isOther && last?.count === count && last.width === width
    for (const [index, look] of looks) {
      const before = seen.get(index)
      if (before && before.ratio === look.ratio && before.group === look.group) continue
      seen.set(index, look)
      isSame = false
    }
    if (!last || !isSame) last = { view, count, width, rows: layoutGrid(count, (index) => seen.get(index), width) }
    return last.rows
  }
}

/** Returns the index of the row of a card. */
export function rowOfCard(rows: readonly GridRow[], index: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((rows[middle]?.from ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the card that is `by` rows below another one (or above, if negative), nearest to its middle. */
export function cardBelow(rows: readonly GridRow[], index: number, by: number): number {
  const from = rowOfCard(rows, index)
  const to = Math.max(0, Math.min(rows.length - 1, from + by))
  const [row, target] = [rows[from], rows[to]]
  if (!row || !target || to === from) return index
  const middle = middlesOf(row)[index - row.from] ?? 0
  const distances = middlesOf(target).map((other) => Math.abs(other - middle))
  return target.from + distances.indexOf(Math.min(...distances))
}

function middlesOf({ widths }: GridRow): number[] {
  let left = 0
  return widths.map((width) => {
    const middle = left + width / 2
    left += width + GRID_GAP
    return middle
  })
}
