import { type BookmarkType, LIMITS, type Visibility } from '../../contract/bookmark.ts'
import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Highlight } from '../../contract/highlight.ts'
import type { PageCopy } from '../../contract/page-copy.ts'
import type { PageText } from '../../contract/page-details.ts'
import { foldName } from '../../core/clean-text.ts'
import { nearPageHash } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, insert, readRow, readValue, readValues, run } from '../../database/sql.ts'
import {
  findCopy,
  findTabText,
  highlightsOf,
  placeOf,
  writeCopy,
  writeHighlights,
  writePlace,
  writeTabText
} from '../pages/text-rows.ts'

/** The fields of a bookmark that can change. Times are milliseconds since 1970. */
interface Fields {
  type: BookmarkType
  title: string
  description: string
  content: string
  url: string | null
  domain: string | null
  pageKey: string | null
  visibility: Visibility
  /** Row id of the organization that owns the bookmark; `null` for the profile. */
  organization: number | null
  createdAt: number
  deletedAt: number | null
  updatedAt: number
}

/**
 * Some fields of a bookmark: their new values, or their values before a change. An `undefined` field is not changed.
 * `tags` are row ids in ascending order. `tabText` is the text of the page from the owner's browser or an import, which
 * cannot be fetched again. `copy` is the stored copy of the page. `highlights` are in the order of their ids.
 */
export type BookmarkState = Partial<Fields> & {
  tags?: number[]
  tabText?: PageText
  highlights?: Highlight[]
  place?: ReadingPlace | null
  copy?: PageCopy | null
}

const COLUMNS: Record<keyof Fields, string> = {
  type: 'type',
  title: 'title',
  description: 'description',
  content: 'content',
  url: 'url',
  domain: 'domain',
  pageKey: 'page_key',
  visibility: 'visibility',
  organization: 'organization_id',
  createdAt: 'created_at',
  deletedAt: 'deleted_at',
  updatedAt: 'updated_at'
}

const TEXTS = ['title', 'description'] as const

/** The visibility and the owner. An undo restores both together, because a rule may change both. */
const PLACE = ['visibility', 'organization']

/** Fields that may have values from the page. These values are removed if the bookmark gets another address. */
export const OF_PAGE = [...TEXTS, 'tabText']

/**
 * Writes the wanted fields of a bookmark. The time of change always increases, so that it identifies a change.
 *
 * @returns the former values of the changed fields, and the new time of change; `undefined` if nothing differed
 */
export function replaceState(
  db: WriteConnection,
  rowId: number,
  wanted: BookmarkState,
  at: number
): { before: BookmarkState; changedAt: number } | undefined {
  const texts = wanted.url === undefined ? [] : OF_PAGE
  const place = wanted.visibility === undefined ? [] : PLACE
  const { updatedAt = 0, ...now } = readState(db, rowId, [...Object.keys(wanted), ...texts, ...place, 'updatedAt'])
  const current: Record<string, unknown> = now
  const changes = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && JSON.stringify(current[name]) !== JSON.stringify(value)
  )
  if (changes.length === 0) return undefined
  const state = withoutPageTexts(db, rowId, Object.fromEntries(changes))
  const moved = PLACE.some((name) => name in state) ? PLACE : []
  const replaced = [...Object.keys(state), ...('url' in state ? ['tabText'] : []), ...moved]
  const before = Object.fromEntries(Object.entries(now).filter(([name]) => replaced.includes(name)))
  const changedAt = Math.max(at, updatedAt + 1)
  writeState(db, rowId, { ...state, updatedAt: changedAt })
  return { before: { ...before, updatedAt }, changedAt }
}

/** Returns the current values of these fields. */
export function readState(db: WriteConnection, rowId: number, names: string[]): BookmarkState {
  const columns = Object.entries(COLUMNS).filter(([name]) => names.includes(name))
  const list = columns.map(([name, column]) => `${column} AS ${name}`).join(', ')
  const fields = readRow<BookmarkState>(db, `SELECT ${list} FROM bookmarks WHERE id = ?`, rowId)
  const state: BookmarkState = { ...fields }
  if (names.includes('tags')) state.tags = tagIdsOf(db, rowId)
  if (names.includes('highlights')) state.highlights = highlightsOf(db, rowId)
  if (names.includes('place')) state.place = placeOf(db, rowId)
  if (names.includes('copy')) state.copy = findCopy(db, rowId) ?? null
  const tabText = names.includes('tabText') ? findTabText(db, rowId) : undefined
  return tabText === undefined ? state : { ...state, tabText }
}

export function writeState(db: WriteConnection, rowId: number, state: BookmarkState): void {
  const { tags, tabText, highlights, place, copy, ...fields } = withoutPageTexts(db, rowId, state)
  const wanted = Object.entries(COLUMNS).filter(([name]) => name in fields)
  const list = wanted.map(([name, column]) => `${column} = @${name}`).join(', ')
  run(db, `UPDATE bookmarks SET ${list} WHERE id = @rowId`, { ...fields, rowId })
  if (fields.pageKey !== undefined) {
    run(db)`UPDATE bookmarks SET near_page = ${nearPageHash(fields.pageKey)} WHERE id = ${rowId}`
  }
  if (tags) replaceTags(db, rowId, tags)
  if (tabText !== undefined) writeTabText(db, rowId, tabText)
  if (highlights) writeHighlights(db, rowId, highlights)
  if (place !== undefined) writePlace(db, rowId, place)
  if (copy !== undefined) writeCopy(db, rowId, copy)
}

/** If the address changes, empties the texts that came from the former page and not from a person. */
function withoutPageTexts(db: WriteConnection, rowId: number, wanted: BookmarkState): BookmarkState {
  if (wanted.url === undefined) return wanted
  const page = readRow<{ url: string | null; title: string; description: string }>(db)`
    SELECT b.url, iif(d.title = b.title, b.title, '') AS title,
      iif(d.description = b.description, b.description, '') AS description
    FROM bookmarks b JOIN page_details d ON d.bookmark_id = b.id WHERE b.id = ${rowId}`
  if (!page || page.url === wanted.url) return wanted
  const given = TEXTS.filter((name) => page[name] !== '' && wanted[name] === undefined)
  return { ...wanted, ...Object.fromEntries(given.map((name) => [name, ''])) }
}

/** Returns another bookmark that has the same page and owner as this bookmark would have after the change. */
export function findTwin(
  db: WriteConnection,
  rowId: number,
  wanted: BookmarkState
): { deletedAt: number | null } | undefined {
  const now = readRow<{ organization: number | null; pageKey: string | null }>(db)`
    SELECT organization_id AS organization, page_key AS pageKey FROM bookmarks WHERE id = ${rowId}`
  const pageKey = wanted.pageKey === undefined ? now?.pageKey : wanted.pageKey
  const owner = wanted.organization === undefined ? now?.organization : wanted.organization
  if (!pageKey) return undefined
  return readRow<{ deletedAt: number | null }>(db)`
    SELECT deleted_at AS deletedAt FROM bookmarks
    WHERE ifnull(organization_id, 0) = ${owner ?? 0} AND page_key = ${pageKey} AND id <> ${rowId}`
}

/** Returns the row id of the tag with this name in any case. */
export function findTag(db: WriteConnection, name: string): number | undefined {
  return readValue<number>(db)`SELECT id FROM tags WHERE folded = ${foldName(name)}`
}

/** Returns the row id of a tag, and creates the tag if there is none. */
export function findOrMakeTag(db: WriteConnection, name: string): number {
  return findTag(db, name) ?? insert(db)`INSERT INTO tags (name, folded) VALUES (${name}, ${foldName(name)})`
}

/** Returns the row ids of a bookmark's tags, in ascending order. */
export function tagIdsOf(db: WriteConnection, bookmark: number): number[] {
  return readValues<number>(db)`SELECT tag_id FROM bookmark_tags WHERE bookmark_id = ${bookmark} ORDER BY tag_id`
}

export function giveTag(db: WriteConnection, bookmark: number, tag: number): void {
  run(db)`INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id) VALUES (${bookmark}, ${tag})`
}

/** Adds tags to a bookmark, up to the maximum number of tags. */
export function addTags(db: WriteConnection, bookmark: number, names: Iterable<string>): void {
  for (const name of names) {
    const isFull = exists(db)`
      SELECT 1 FROM bookmark_tags WHERE bookmark_id = ${bookmark} LIMIT 1 OFFSET ${LIMITS.tags - 1}`
    if (isFull) return
    giveTag(db, bookmark, findOrMakeTag(db, name))
  }
}

/**
 * Adds the tags of new bookmarks.
 *
 * @param first the lowest row id of the bookmarks
 * @param taggings made by `tagging` of a bookmark's row id minus `first`, and a tag
 */
export function giveTags(db: WriteConnection, first: number, taggings: number[]): void {
  // In the order of the index `bookmark_tags_by_tag`.
  run(db)`
    INSERT INTO bookmark_tags (bookmark_id, tag_id)
    SELECT ${first} + (value >> 32), value & 0xffffffff FROM json_each(${`[${taggings.join()}]`}) ORDER BY 2, 1`
}

/** Replaces all tags of a bookmark. */
function replaceTags(db: WriteConnection, bookmark: number, tags: number[]): void {
  for (const tag of tagIdsOf(db, bookmark)) {
    if (tags.includes(tag)) continue
    run(db)`DELETE FROM bookmark_tags WHERE bookmark_id = ${bookmark} AND tag_id = ${tag}`
  }
  for (const tag of tags) giveTag(db, bookmark, tag)
}

/** Returns the distinct row ids in ascending order. */
export function ascending(ids: number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Packs two numbers into one, which takes less memory. `bookmark` is below 2 ** 21, `tag` below 2 ** 32. */
export function tagging(bookmark: number, tag: number): number {
  return bookmark * 2 ** 32 + tag
}
