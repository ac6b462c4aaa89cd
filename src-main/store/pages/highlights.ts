import { HIGHLIGHT_LIMITS } from '../../contract/bookmark.ts'
import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Highlight, HighlightRequest, HighlightsQuery, ListedHighlight } from '../../contract/highlight.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { replaceState } from '../bookmarks/bookmark-state.ts'
import { recordChange, type UndoStep } from '../bookmarks/undo-steps.ts'
import type { Written } from '../calls.ts'
import { highlightFrom, highlightsOf } from './text-rows.ts'

/**
 * Returns the highlights of these bookmarks, keyed by the bookmark's id, in the order of the text. Highlights without a
 * position are last.
 */
export function readHighlights(db: ReadConnection, ids: string[]): Map<string, Highlight[]> {
  const rows = readTuples<[bookmark: string, id: string, highlight: string]>(db)`
    SELECT b.public_id, h.id, h.highlight FROM json_each(${JSON.stringify(ids)}) one
    CROSS JOIN bookmarks b ON b.public_id = one.value JOIN highlights h ON h.bookmark_id = b.id`
  const found = new Map<string, Highlight[]>()
  for (const [bookmark, id, json] of rows) {
    const others = found.get(bookmark) ?? []
    found.set(bookmark, [...others, highlightFrom(id, json)])
  }
  for (const highlights of found.values()) highlights.sort(byPlace)
  return found
}

/** Returns the highlights and the reading places of these bookmarks, keyed by the bookmark's id. */
export function readReading(
  db: ReadConnection,
  ids: string[]
): { highlights: Map<string, Highlight[]>; places: Map<string, ReadingPlace> } {
  const places = readRows<ReadingPlace & { id: string }>(db)`
    SELECT b.public_id AS id, r.block, r.share FROM json_each(${JSON.stringify(ids)}) one
    CROSS JOIN bookmarks b ON b.public_id = one.value JOIN reading_places r ON r.bookmark_id = b.id`
  return {
    highlights: readHighlights(db, ids),
    places: new Map(places.map(({ id, ...place }) => [id, place]))
  }
}

function byPlace(a: Highlight, b: Highlight): number {
  return (a.start ?? Infinity) - (b.start ?? Infinity) || a.createdAt - b.createdAt
}

/**
 * Adds a highlight to a bookmark, or changes the one with this id. It counts as a change of the bookmark, which can be
 * undone.
 *
 * @throws Problem `not-found` if there is no such bookmark outside the trash, or `too-many`
 */
export function saveHighlight(
  db: WriteConnection,
  bookmark: string,
  { id, ...request }: HighlightRequest & { id: string },
  at: number
): Written<{ highlight: Highlight; undo: number | null }> {
  const rowId = rowIdOf(db, bookmark)
  const before = highlightsOf(db, rowId)
  const former = before.find((one) => one.id === id)
  const others = before.filter((one) => one !== former)
  if (!former && others.length >= HIGHLIGHT_LIMITS.highlights) {
    throw new Problem(
      'too-many',
      `A bookmark has at most ${HIGHLIGHT_LIMITS.highlights} highlights. Delete some first.`
    )
  }
  const highlight = { ...request, createdAt: former?.createdAt ?? at, id }
  return replaceHighlights(db, rowId, [...others, highlight], at, { highlight })
}

/** @throws Problem `not-found` if there is no such bookmark outside the trash, or it has no such highlight */
export function deleteHighlight(
  db: WriteConnection,
  bookmark: string,
  id: string,
  at: number
): Written<{ undo: number | null }> {
  const rowId = rowIdOf(db, bookmark)
  const before = highlightsOf(db, rowId)
  const others = before.filter((one) => one.id !== id)
  if (others.length === before.length) throw new Problem('not-found', 'There is no such highlight.')
  return replaceHighlights(db, rowId, others, at, {})
}

function replaceHighlights<Answer extends object>(
  db: WriteConnection,
  rowId: number,
  wanted: Highlight[],
  at: number,
  answer: Answer
): Written<Answer & { undo: number | null }> {
  const highlights = wanted.sort((a, b) => (a.id < b.id ? -1 : 1))
  const replaced = replaceState(db, rowId, { highlights }, at)
  if (!replaced) return { answer: { ...answer, undo: null }, events: [] }
  const step: UndoStep = { id: null, at }
  recordChange(db, step, rowId, replaced)
  searchIndex(db).refresh([rowId])
  return { answer: { ...answer, undo: step.id }, events: [{ kind: 'bookmarks' }] }
}

function rowIdOf(db: ReadConnection, id: string): number {
  const rowId = readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id} AND deleted_at IS NULL`
  if (rowId === undefined) throw new Problem('not-found', 'There is no such bookmark outside the trash.')
  return rowId
}

type Row = Omit<ListedHighlight['bookmark'], 'hasText'> & { highlightId: string; highlight: string; hasText: 0 | 1 }

/** Lists a page of the highlights of all bookmarks outside the trash, newest first. */
export function listHighlights(
  db: ReadConnection,
  { words, color, page, limit }: HighlightsQuery
): { total: number; highlights: ListedHighlight[] } {
  const rows = readRows<Row>(db)`
    SELECT h.id AS highlightId, h.highlight, b.public_id AS id, b.title, b.url, b.domain,
      EXISTS (SELECT 1 FROM page_texts p
        WHERE p.bookmark_id = b.id AND (b.visibility = 'private' OR p.from_tab = 0)) AS hasText
    FROM highlights h CROSS JOIN bookmarks b ON b.id = h.bookmark_id WHERE b.deleted_at IS NULL`
  const wanted = foldName(words.trim())
  const all = rows
    .map(({ highlightId, highlight, hasText, ...bookmark }): ListedHighlight => {
      return { ...highlightFrom(highlightId, highlight), bookmark: { ...bookmark, hasText: hasText === 1 } }
    })
    .filter((one) => color === undefined || one.color === color)
    .filter(({ quote, note, bookmark }) => foldName(`${quote}\n${note}\n${bookmark.title}`).includes(wanted))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  return { total: all.length, highlights: all.slice((page - 1) * limit, page * limit) }
}
