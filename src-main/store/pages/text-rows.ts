import { HIGHLIGHT_LIMITS } from '../../contract/bookmark.ts'
import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Highlight } from '../../contract/highlight.ts'
import type { ImportedHighlight } from '../../contract/library-export.ts'
import type { PageCopy } from '../../contract/page-copy.ts'
import type { PageText } from '../../contract/page-details.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readTuples, run } from '../../database/sql.ts'
import { createPublicIds } from '../public-id.ts'

/** The text of a bookmark's page, its copy, and the owner's highlights and reading place. */

/** The values of `from_tab`: a text that the owner gave is not replaced by one that was fetched. */
const [FROM_TAB, FROM_IMPORT] = [1, 2]

/** Returns the text of a bookmark's page from the owner's browser or an import; `undefined` if there is none. */
export function findTabText(db: WriteConnection, rowId: number): PageText | undefined {
  return readRow<PageText>(db)`SELECT text, markdown FROM page_texts WHERE bookmark_id = ${rowId} AND from_tab <> 0`
}

/** Returns the copy of a bookmark's page; `undefined` if there is none. */
export function findCopy(db: ReadConnection, rowId: number): PageCopy | undefined {
  return readRow<PageCopy>(db)`
    SELECT hash, size, saved_at AS savedAt FROM page_copies WHERE bookmark_id = ${rowId}`
}

/** Replaces the copy of a bookmark's page, or removes it. The file must already be written. */
export function writeCopy(db: WriteConnection, rowId: number, copy: PageCopy | null): void {
  run(db)`DELETE FROM page_copies WHERE bookmark_id = ${rowId}`
  if (!copy) return
  const { hash, size, savedAt } = copy
  run(db)`
    INSERT INTO page_copies (bookmark_id, hash, size, saved_at) VALUES (${rowId}, ${hash}, ${size}, ${savedAt})`
}

/** Writes the text that a page had in the owner's browser, instead of the fetched text. */
export function writeTabText(db: WriteConnection, rowId: number, { text, markdown }: PageText): void {
  run(db)`
    INSERT INTO page_texts (bookmark_id, text, markdown, from_tab) VALUES (${rowId}, ${text}, ${markdown}, ${FROM_TAB})
    ON CONFLICT (bookmark_id)
      DO UPDATE SET text = excluded.text, markdown = excluded.markdown, from_tab = excluded.from_tab`
  countText(db)
}

/** Writes the text of a new bookmark's page from an imported file. */
export function writeImportedText(db: WriteConnection, rowId: number, { text, markdown }: PageText): void {
  run(db)`
    INSERT INTO page_texts (bookmark_id, text, markdown, from_tab)
      VALUES (${rowId}, ${text}, ${markdown}, ${FROM_IMPORT})`
  countText(db)
}

/** Writes the fetched text of a page, unless there is a text from the owner's browser or an import. */
export function writeFetchedText(db: WriteConnection, rowId: number, { text, markdown }: PageText): void {
  run(db)`
    INSERT INTO page_texts (bookmark_id, text, markdown) VALUES (${rowId}, ${text}, ${markdown})
    ON CONFLICT (bookmark_id)
      DO UPDATE SET text = excluded.text, markdown = excluded.markdown WHERE from_tab = 0`
  countText(db)
}

/** Counts a text that is added to the indexes. After many texts, the indexes are merged. */
function countText(db: WriteConnection): void {
  run(db)`UPDATE index_merge SET pages = pages + 1`
}

/** Returns a bookmark's highlights in the order of their ids. */
export function highlightsOf(db: ReadConnection, rowId: number): Highlight[] {
  const rows = readTuples<[id: string, highlight: string]>(db)`
    SELECT id, highlight FROM highlights WHERE bookmark_id = ${rowId} ORDER BY id`
  return rows.map(([id, highlight]) => highlightFrom(id, highlight))
}

/** @param json as `jsonOfHighlight` writes it */
export function highlightFrom(id: string, json: string): Highlight {
  return { ...JSON.parse(json), id }
}

/** Returns a highlight as it is stored, without its id. Equal highlights have equal JSON. */
export function jsonOfHighlight({
  quote,
  prefix,
  suffix,
  start,
  color,
  note,
  createdAt
}: Omit<Highlight, 'id'>): string {
  return JSON.stringify({ quote, prefix, suffix, start, color, note, createdAt })
}

/** Replaces all highlights of a bookmark. Unchanged highlights are not written. */
export function writeHighlights(db: WriteConnection, rowId: number, highlights: Highlight[]): void {
  const ids = JSON.stringify(highlights.map(({ id }) => id))
  run(db)`DELETE FROM highlights WHERE bookmark_id = ${rowId} AND id NOT IN (SELECT value FROM json_each(${ids}))`
  for (const highlight of highlights) {
    run(db)`
      INSERT INTO highlights (bookmark_id, id, highlight) VALUES (${rowId}, ${highlight.id}, ${jsonOfHighlight(highlight)})
      ON CONFLICT (bookmark_id, id) DO UPDATE SET highlight = excluded.highlight WHERE highlight <> excluded.highlight`
  }
}

/**
 * Returns both lists of highlights as one, in the order of their ids. A highlight of `others` is left out if `some` has
 * its id or its passage, or an earlier one of `others` has its passage.
 */
export function uniteHighlights(some: Highlight[], others: ImportedHighlight[]): Highlight[] {
  const ids = new Set(some.map(({ id }) => id))
  const passages = new Set(some.map(passageOf))
  const nextId = createPublicIds()
  const all = [...some]
  for (const { id, ...highlight } of others) {
    const passage = passageOf(highlight)
    if ((id !== undefined && ids.has(id)) || passages.has(passage)) continue
    passages.add(passage)
    all.push({ ...highlight, id: id ?? nextId() })
  }
  return all.slice(0, HIGHLIGHT_LIMITS.highlights).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Equal words at another position in the text are another passage, if the position is known. */
function passageOf({ quote, prefix, start }: Omit<ImportedHighlight, 'id'>): string {
  return JSON.stringify([quote.replace(/\s+/g, ' ').trim(), prefix, start])
}

/**
 * Writes the highlights and the reading place of a new bookmark. Highlights with ids come from another library, so two of
 * them may have the same passage.
 */
export function writeReading(
  db: WriteConnection,
  rowId: number,
  { highlights = [], place }: { highlights?: ImportedHighlight[] | undefined; place?: ReadingPlace | null | undefined }
): void {
  const own = highlights.filter((one): one is Highlight => one.id !== undefined)
  const others = highlights.filter(({ id }) => id === undefined)
  if (highlights.length > 0) writeHighlights(db, rowId, uniteHighlights(own, others))
  if (place) writePlace(db, rowId, place)
}

/** Returns where the owner stopped reading; `null` at the beginning. */
export function placeOf(db: ReadConnection, rowId: number): ReadingPlace | null {
  return readRow<ReadingPlace>(db)`SELECT block, share FROM reading_places WHERE bookmark_id = ${rowId}` ?? null
}

export function writePlace(db: WriteConnection, rowId: number, place: ReadingPlace | null): void {
  if (place === null) run(db)`DELETE FROM reading_places WHERE bookmark_id = ${rowId}`
  else {
    run(db)`
      INSERT INTO reading_places (bookmark_id, block, share) VALUES (${rowId}, ${place.block}, ${place.share})
      ON CONFLICT (bookmark_id) DO UPDATE SET block = excluded.block, share = excluded.share
        WHERE block <> excluded.block OR share <> excluded.share`
  }
}
