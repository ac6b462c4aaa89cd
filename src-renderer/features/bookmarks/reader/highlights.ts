/** The highlights of the reader's text: their positions, how they are drawn, and the selection that can become one. */
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { HIGHLIGHT_COLORS, HIGHLIGHT_LIMITS, type HighlightColor } from '../../../../src-main/contract/bookmark.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { highlightsOptions, newHighlightId, type ShownHighlight, useHighlightChanges } from '../../../api/highlights.ts'
import { quoteFinder, type Span } from './find-quote.ts'
import { type ShownText, showRange } from './shown-text.ts'

export type ReaderHighlights = ReturnType<typeof useReaderHighlights>

const NONE: ShownHighlight[] = []

/** @param shown the text; `undefined` until it is shown */
export function useReaderHighlights(bookmark: ShownBookmark, shown: ShownText | undefined) {
  const { data: highlights = NONE, isSuccess } = useQuery(highlightsOptions(bookmark.id))
  const changes = useHighlightChanges(bookmark)
  const findPlace = useMemo(() => shown && placeFinder(shown), [shown])
  const placed = useMemo(() => {
    const all = highlights.map((highlight) => ({ highlight, place: findPlace?.(highlight) }))
    // Highlights that are not in the text are last.
    return all.sort((a, b) => (a.place?.start ?? Infinity) - (b.place?.start ?? Infinity))
  }, [highlights, findPlace])
  const [{ id: openedId, isForNote }, setOpened] = useState<{ id?: string | undefined; isForNote?: boolean }>({})
  const opened = placed.find(({ highlight }) => highlight.id === openedId)
  const [selected, clearSelected] = useSelected(shown)
  const [color, setColor] = useLocalStorage<HighlightColor>({
    key: 'earmark-highlight-color',
    defaultValue: 'yellow',
    getInitialValueInEffect: false
  })
  useDrawHighlights(placed, opened?.place)

  return {
    placed,
    opened,
    /** Whether the highlight was opened to write its note. */
    isForNote,
    selected,
    isReady: isSuccess && shown !== undefined,
    changes,
    /** Opens a highlight and scrolls to it. */
    open(id: string) {
      const place = placed.find(({ highlight }) => highlight.id === id)?.place
      if (place) showRange(place.range)
      setOpened({ id })
    },
    /** Closes the open highlight and clears the selection. @returns whether there was one of them */
    close(): boolean {
      if (selected) clearSelected()
      setOpened({})
      return selected !== undefined || opened !== undefined
    },
    /** Opens the highlight at a point of the window. @returns whether there is one */
    openAt(x: number, y: number): boolean {
      const hit = placed.findLast(({ place }) => place && isAt(place.range, x, y))
      setOpened({ id: hit?.highlight.id })
      return hit !== undefined
    },
    /** Highlights the selected text, by default in the last color. */
    highlight(chosen = color, isForNote = false) {
      if (!shown || !selected) return
      setColor(chosen)
      const id = newHighlightId()
      changes.save({ id, ...describe(shown.text, selected), color: chosen, note: '', createdAt: now() }, 'made')
      clearSelected()
      if (isForNote) setOpened({ id, isForNote })
    }
  }
}

const now = () => new Date().toISOString()

/** A part of the text, and its range in the page. */
interface Place extends Span {
  range: Range
}

/** Returns a function that finds the place of a highlight, memoized. */
function placeFinder({ text, rangeOf }: ShownText) {
  const find = quoteFinder(text)
  const places = new Map<string, Place | undefined>()
  return (highlight: ShownHighlight): Place | undefined => {
    if (!places.has(highlight.id)) {
      const span = find(highlight)
      const [range] = span ? rangeOf(span) : []
      places.set(highlight.id, span && range && { ...span, range })
    }
    return places.get(highlight.id)
  }
}

/** Returns the quote of a part of a text, the text around it, and its position. */
function describe(text: string, { start, end }: Span) {
  const { context } = HIGHLIGHT_LIMITS
  return {
    quote: text.slice(start, end),
    // Without half of a surrogate pair.
    prefix: text.slice(Math.max(0, start - context), start).replace(/^[\udc00-\udfff]/, ''),
    suffix: text.slice(end, end + context).replace(/[\ud800-\udbff]$/, ''),
    start
  }
}

/** How long a selection must stay the same before the colors are shown, in ms. */
const PAUSE_MS = 200

/** Returns the selected part of the text, and a function that clears the selection. */
function useSelected(shown: ShownText | undefined): [Place | undefined, () => void] {
  const [selected, setSelected] = useState<Place>()
  const read = useDebouncedCallback(() => {
    const selection = getSelection()
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : undefined
    const span = range && shown?.spanOf(range)
    const isShort = span && span.end - span.start <= HIGHLIGHT_LIMITS.quote
    setSelected(isShort ? { ...span, range } : undefined)
  }, PAUSE_MS)
  useEffect(() => {
    // The text may have been selected before its places were known.
    if (shown) read()
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [shown, read])
  function clear() {
    getSelection()?.removeAllRanges()
    setSelected(undefined)
  }
  return [selected, clear]
}

/** Draws the highlights without changing the text, if the browser can. reader.module.css has their colors. */
function useDrawHighlights(
  placed: { highlight: ShownHighlight; place: Place | undefined }[],
  opened: Place | undefined
): void {
  useEffect(() => {
    if (!('highlights' in CSS)) return
    for (const color of HIGHLIGHT_COLORS) {
      const places = placed.filter(({ highlight }) => highlight.color === color).flatMap(({ place }) => place ?? [])
      CSS.highlights.set(`mark-${color}`, new Highlight(...places.map(({ range }) => range)))
    }
    CSS.highlights.set('mark-opened', new Highlight(...(opened ? [opened.range] : [])))
    return () => {
      for (const name of [...HIGHLIGHT_COLORS, 'opened']) CSS.highlights.delete(`mark-${name}`)
    }
  }, [placed, opened])
}

function isAt(range: Range, x: number, y: number): boolean {
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom
  )
}
