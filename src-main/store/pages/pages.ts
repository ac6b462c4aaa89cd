import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { LibraryEvent } from '../../contract/change.ts'
import type { LinkVerdict } from '../../contract/link-check.ts'
import type { DuePage, PageFailure, PageText, StoredDetails, StoredPage } from '../../contract/page-details.ts'
import { ownPageHash } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { applyRulesToPage } from '../bookmarks/rules.ts'
import type { Written } from '../calls.ts'
import { clearVerdict, keepVerdict, scheduleCheck } from './links.ts'
import { placeOf, writeFetchedText, writePlace, writeTabText } from './text-rows.ts'

/**
 * Details read from the pages of bookmarks. Saving them does not count as a change to the bookmark.
 */

/** Number of due pages that are read to find one whose domain is not in use. */
const WINDOW = 2000

/** Pages to read are counted up to this number. */
const COUNT_CAP = 10_000

interface Described {
  rowId: number
  type: string
  title: string
  description: string
  /** The texts from the last reading of the page; empty if a person wrote other texts. */
  pageTitle: string
  pageDescription: string
}

/** Saves the details of a page. Returns false if the bookmark has another address now. */
export function saveDetails(
  db: WriteConnection,
  { id, url }: DuePage,
  details: StoredDetails,
  at: number
): Written<boolean> {
  const now = find(db, id, url)
  if (!now) return NOT_KEPT
  const { rowId } = now
  const title = filled(now.title, now.pageTitle, details.title)
  const description = filled(now.description, now.pageDescription, details.description)
  const type = details.kind === 'image' && now.type === 'link' ? 'image' : now.type
  describe(db, { rowId, type, title: title.text, description: description.text, due: null })
  const { siteName, canonicalUrl, language, publishedAt, icon, preview } = details
  const facts = { siteName, canonicalUrl, language, publishedAt, icon, preview }
  run(
    db,
    `INSERT INTO page_details (bookmark_id, state, attempts, fault, read_at, title, description, site_name,
       canonical_url, own_page, language, published_at, icon, preview)
     VALUES (@rowId, 'done', 0, NULL, @at, @pageTitle, @pageDescription, @siteName, @canonicalUrl, @ownPage,
       @language,
       @publishedAt, @icon, @preview)
     ON CONFLICT (bookmark_id) DO UPDATE SET state = 'done', attempts = 0, fault = NULL, read_at = excluded.read_at,
       title = excluded.title, description = excluded.description, site_name = excluded.site_name,
       canonical_url = excluded.canonical_url,
       own_page = excluded.own_page, language = excluded.language, published_at = excluded.published_at,
       icon = excluded.icon, preview = excluded.preview`,
    {
      rowId,
      at,
      ...facts,
      ownPage: ownPageHash(url, canonicalUrl),
      pageTitle: title.given,
      pageDescription: description.given
    }
  )
  if (details.text === '') run(db)`DELETE FROM page_texts WHERE bookmark_id = ${rowId} AND from_tab = 0`
  else writeFetchedText(db, rowId, details)
  clearVerdict(db, rowId, at)
  scheduleCheck(db, rowId, at)
  searchIndex(db).refresh([rowId])
  return kept(applyRulesToPage(db, rowId, at))
}

/** Stores that a page could not be read, and when to try again. Returns false if the bookmark has another address now. */
export function saveFailure(
  db: WriteConnection,
  { id, url }: DuePage,
  failure: PageFailure,
  at: number
): Written<boolean> {
  const now = find(db, id, url)
  if (!now) return NOT_KEPT
  const { rowId, type, description } = now
  const { due, attempts, fault } = failure
  const title =
    now.title === '' ? { text: failure.title, given: failure.title } : { text: now.title, given: now.pageTitle }
  describe(db, { rowId, type, title: title.text, description, due })
  run(db)`
    INSERT INTO page_details (bookmark_id, state, attempts, fault, read_at, title)
    VALUES (${rowId}, ${due === null ? 'failed' : 'waiting'}, ${attempts}, ${fault}, ${at}, ${title.given})
    ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
      fault = excluded.fault, read_at = excluded.read_at, title = excluded.title`
  if (fault === 'gone') keepVerdict(db, rowId, url, GONE, at)
  if (due === null) scheduleCheck(db, rowId, at)
  if (title.text !== now.title || fault === 'gone') searchIndex(db).refresh([rowId])
  return kept(due === null ? applyRulesToPage(db, rowId, at) : [])
}

/**
 * Stores the text of a page as the owner's browser shows it. A later reading of the page does not replace it. Only the
 * owner may be allowed to see this text, so it is neither found nor shown unless the bookmark is private.
 */
export function saveTabText(
  db: WriteConnection,
  { id, url }: Pick<DuePage, 'id' | 'url'>,
  text: PageText,
  at: number
): Written<boolean> {
  const now = find(db, id, url)
  if (!now) return NOT_KEPT
  writeTabText(db, now.rowId, text)
  searchIndex(db).refresh([now.rowId])
  return kept(applyRulesToPage(db, now.rowId, at))
}

/** Makes a page due to be read again. Returns false if there is no such bookmark, or it has no page. */
export function askForPage(db: WriteConnection, id: string, at: number): Written<boolean> {
  run(db)`UPDATE page_details SET attempts = 0 WHERE bookmark_id = (SELECT id FROM bookmarks WHERE public_id = ${id})`
  const { changes } = run(db)`
    UPDATE bookmarks SET details_due = ${at} WHERE public_id = ${id} AND page_key IS NOT NULL AND url IS NOT NULL`
  return changes > 0 ? kept([]) : NOT_KEPT
}

const NOT_KEPT: Written<boolean> = { answer: false, events: [] }

function kept(ruleEvents: LibraryEvent[]): Written<boolean> {
  return { answer: true, events: [{ kind: 'details' }, ...ruleEvents] }
}

/** A page that is clearly gone needs no check of its link. */
const GONE: LinkVerdict = { state: 'broken', fault: 'gone', movedTo: null, failingSince: null }

function find(db: WriteConnection, id: string, url: string): Described | undefined {
  return readRow<Described>(db)`
    SELECT b.id AS rowId, b.type, b.title, b.description,
      ifnull(d.title, '') AS pageTitle, ifnull(d.description, '') AS pageDescription
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id WHERE b.public_id = ${id} AND b.url = ${url}`
}

function describe(
  db: WriteConnection,
  bookmark: Pick<Described, 'rowId' | 'type' | 'title' | 'description'> & { due: number | null }
): void {
  run(
    db,
    'UPDATE bookmarks SET type = @type, title = @title, description = @description, details_due = @due WHERE id = @rowId',
    bookmark
  )
}

/**
 * Returns the title or description of a bookmark after its page was read: the text of the page, unless a person wrote
 * another text. `given` is the text if it is from the page; otherwise it is empty.
 */
function filled(now: string, before: string, page: string): { text: string; given: string } {
  if (now !== '' && now !== before) return { text: now, given: '' }
  const text = page || now
  return { text, given: text }
}

/**
 * Returns a bookmark whose page is due to be read, with a domain that is not in `except`. The latest due time is first,
 * which usually is that of the bookmark saved last.
 */
export function duePage(db: ReadConnection, now: number, except: string[]): DuePage | undefined {
  return readRow<DuePage>(db)`
    SELECT b.public_id AS id, b.url, b.domain, ifnull(d.attempts, 0) AS attempts
    FROM (SELECT id, domain FROM bookmarks INDEXED BY bookmarks_to_describe
      WHERE details_due IS NOT NULL AND deleted_at IS NULL AND details_due <= ${now}
      ORDER BY details_due DESC, id DESC LIMIT ${WINDOW}) waiting
    CROSS JOIN bookmarks b ON b.id = waiting.id LEFT JOIN page_details d ON d.bookmark_id = b.id
    WHERE waiting.domain NOT IN (SELECT value FROM json_each(${JSON.stringify(except)})) LIMIT 1`
}

/** Returns the stored details of a bookmark's page; `undefined` if there is no such bookmark, or it has no page. */
export function findStoredPage(db: ReadConnection, id: string): StoredPage | undefined {
  return readRow<StoredPage>(db)`
    SELECT b.details_due AS due, d.state, ifnull(d.attempts, 0) AS attempts, d.fault, d.read_at AS readAt,
      ifnull(d.site_name, '') AS siteName, d.canonical_url AS canonicalUrl, d.language,
      d.published_at AS publishedAt, d.icon, d.preview,
      (SELECT CASE p.from_tab WHEN 0 THEN 'page' WHEN 1 THEN 'tab' ELSE 'import' END FROM page_texts p
        WHERE p.bookmark_id = b.id AND (p.from_tab = 0 OR b.visibility = 'private')) AS textFrom
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.public_id = ${id} AND b.page_key IS NOT NULL AND b.url IS NOT NULL`
}

/** Returns the number of pages that are still to be read, counted up to 10,000. */
export function countPagesToRead(db: ReadConnection): number {
  const count = readValue<number>(db)`
    SELECT count(*) FROM (SELECT 1 FROM bookmarks INDEXED BY bookmarks_to_describe
    WHERE details_due IS NOT NULL AND deleted_at IS NULL LIMIT ${COUNT_CAP})`
  return count ?? 0
}

/** Returns the text of a bookmark's page; empty if there is none. */
export function readPageText(db: ReadConnection, id: string): PageText {
  const found = readRow<PageText>(db)`
    SELECT p.text, p.markdown FROM page_texts p JOIN bookmarks b ON b.id = p.bookmark_id
    WHERE b.public_id = ${id} AND (p.from_tab = 0 OR b.visibility = 'private')`
  return found ?? { text: '', markdown: null }
}

/** Returns the searched texts of the pages and highlights of these bookmarks, keyed by the bookmark's id. */
export function readPageTexts(db: ReadConnection, ids: string[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const id of ids) {
    const text = readValue<string | null>(db)`
      SELECT concat_ws(char(10),
        (SELECT p.text FROM page_texts p WHERE p.bookmark_id = b.id AND (p.from_tab = 0 OR b.visibility = 'private')),
        (SELECT group_concat(concat_ws(char(10), highlight ->> '$.note', highlight ->> '$.quote'), char(10))
          FROM highlights h WHERE h.bookmark_id = b.id AND b.visibility = 'private'))
      FROM bookmarks b WHERE b.public_id = ${id}`
    if (text) texts.set(id, text)
  }
  return texts
}

/** Returns where the owner stopped reading the text of a bookmark's page; `null` at its beginning. */
export function readReadingPlace(db: ReadConnection, id: string): ReadingPlace | null {
  const rowId = rowIdOf(db, id)
  return rowId === undefined ? null : placeOf(db, rowId)
}

/** Stores where the owner stopped reading, which is no change of the bookmark. The beginning of a text is not stored. */
export function saveReadingPlace(db: WriteConnection, id: string, { block, share }: ReadingPlace): Written<void> {
  const rowId = rowIdOf(db, id)
  if (rowId !== undefined) writePlace(db, rowId, block === 0 && share === 0 ? null : { block, share })
  return { answer: undefined, events: [] }
}

function rowIdOf(db: ReadConnection, id: string): number | undefined {
  return readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`
}
