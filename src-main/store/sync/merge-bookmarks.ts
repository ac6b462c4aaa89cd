import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { Owner } from '../../contract/caller.ts'
import type { PageCopy } from '../../contract/page-copy.ts'
import type { PageText } from '../../contract/page-details.ts'
import type { FieldValue } from '../../contract/sync.ts'
import { addressOf } from '../../core/address.ts'
import { pictureKey } from '../../core/page-key.ts'
import { joinFields, laterField } from '../../core/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRow, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { findSamePage, giveUpPage, insertBookmark, type NewRow } from '../bookmarks/bookmark-inserts.ts'
import { ascending, type BookmarkState, findOrMakeTag, writeState } from '../bookmarks/bookmark-state.ts'
import { findCopy, findTabText, highlightFrom, writeCopy, writeTabText } from '../pages/text-rows.ts'
import { organizationAt } from './merge-organizations.ts'
import { bookmarkFields, type Fields, keepEarly, rootOf, takeEarly, withEarly } from './records.ts'
import { forgetRecord, keepClocks, letSend, noteAlias, setClock } from './stamping.ts'

/**
 * Merges another device's record of a bookmark into this library.
 *
 * @param touched gets the row ids of the changed bookmarks
 * @returns whether anything changed
 */
export function mergeBookmark(
  db: WriteConnection,
  id: string,
  incoming: Fields,
  time: number,
  touched: Set<number>
): boolean {
  const known = rootOf(db, id)
  const fields = withEarly(db, known, incoming)
  const current = bookmarkFields(db, known)
  if (current?.type) return join(db, known, current, fields, time, touched)
  const life = current?.life ? laterField('life', current.life, fields.life ?? current.life) : fields.life
  if (life?.[0] === 'purged') {
    setClock(db, known, 'life', life[1])
    return false
  }
  if (!fields.type) {
    keepEarly(db, 'bookmark', known, fields)
    return false
  }
  insert(db, known, fields, time, touched)
  return true
}

/** Merges two bookmarks under the lesser of their ids: each field has its later value, and tags and dates are united. */
export function uniteBookmarks(
  db: WriteConnection,
  first: string,
  second: string,
  time: number,
  touched: Set<number>
): boolean {
  const roots = [rootOf(db, first), rootOf(db, second)].sort() as [string, string]
  const [stays, goes] = roots
  if (stays === goes) return false
  const early = takeEarly(db, goes)
  const own = bookmarkFields(db, goes)
  const { tabText, copy } = takeOfPage(db, goes)
  remove(db, goes, touched)
  noteAlias(db, goes, stays)
  const fields = own && early ? joinFields(own, early) : (own ?? early)
  if (fields) mergeBookmark(db, stays, fields, time, touched)
  if (fields) letSend(db, 'bookmark', stays, '*')
  const rowId = rowIdOf(db, stays)
  if (rowId !== undefined) claimPage(db, rowId, time, touched)
  if (rowId !== undefined && tabText !== undefined && findTabText(db, rowId) === undefined) {
    writeTabText(db, rowId, tabText)
  }
  if (rowId !== undefined && copy && !findCopy(db, rowId)) writeCopy(db, rowId, copy)
  return true
}

/**
 * Gives a bookmark the key of its page, unless another bookmark has priority, and merges bookmarks of the same page.
 */
export function claimPage(db: WriteConnection, rowId: number, time: number, touched: Set<number>): void {
  const row = readRow<PageOfRow & { id: string }>(db)`
    SELECT public_id AS id, url, picture, organization_id AS owner, deleted_at AS deletedAt
    FROM bookmarks WHERE id = ${rowId}`
  if (!row) return
  const { pageKey, twin } = pageFor(db, rowId, row)
  if (twin === undefined) writeState(db, rowId, { pageKey })
  else uniteBookmarks(db, row.id, twin, time, touched)
}

function join(
  db: WriteConnection,
  id: string,
  current: Fields,
  incoming: Fields,
  time: number,
  touched: Set<number>
): boolean {
  const joined = joinFields(current, incoming)
  if (joined.life?.[0] === 'purged') {
    remove(db, id, touched)
    setClock(db, id, 'life', joined.life[1])
    return true
  }
  // The device that deleted it has none of its fields, so all are sent to it.
  if (incoming.life?.[0] === 'purged') letSend(db, 'bookmark', id, '*')
  keepClocks(db, id, current, joined)
  const rowId = rowIdOf(db, id)
  if (rowId === undefined || !differ(current, joined)) return false
  const twin = write(db, rowId, current, joined, time)
  touched.add(rowId)
  if (twin !== undefined) uniteBookmarks(db, id, twin, time, touched)
  return true
}

/** Deletes a bookmark permanently, also outside the trash, with its records of synchronization. */
function remove(db: WriteConnection, id: string, touched: Set<number>): void {
  const rowId = rowIdOf(db, id)
  forgetRecord(db, id)
  if (rowId === undefined) return
  // The picture stays for a day without a bookmark, because the next record may be another bookmark of it.
  run(db)`UPDATE bookmarks SET picture = NULL, deleted_at = ifnull(deleted_at, updated_at) WHERE id = ${rowId}`
  searchIndex(db).refresh([rowId])
  run(db)`DELETE FROM bookmarks WHERE id = ${rowId}`
  touched.delete(rowId)
}

function insert(db: WriteConnection, id: string, fields: Fields, time: number, touched: Set<number>): void {
  const row = stateOf(db, fields, time)
  const { pageKey, twin } = pageFor(db, undefined, row)
  const rowId = insertBookmark(db, { ...row, pageKey, id })
  keepClocks(db, id, {}, fields)
  touched.add(rowId)
  if (twin !== undefined) uniteBookmarks(db, id, twin, time, touched)
}

/** Writes the changed fields of a bookmark. Returns the id of another bookmark that now has the same page. */
function write(db: WriteConnection, rowId: number, before: Fields, joined: Fields, time: number): string | undefined {
  const { owner, pageKey, ...row } = stateOf(db, joined, time)
  const tags = ascending(row.tags.map((name) => findOrMakeTag(db, name)))
  const moves = (['url', 'place', 'life'] as const).some((name) => differ(before, joined, name))
  const wanted: BookmarkState = { ...row, organization: owner, tags }
  const page = moves ? pageFor(db, rowId, { ...row, owner }) : undefined
  writeState(db, rowId, page ? { ...wanted, pageKey: page.pageKey } : wanted)
  return page?.twin
}

/**
 * Returns the page key that a bookmark gets. Only one bookmark of an owner can have it: one outside the trash has priority
 * over one in the trash. If both are outside the trash, `twin` is the other one.
 */
function pageFor(
  db: WriteConnection,
  rowId: number | undefined,
  { url, picture, owner, deletedAt }: PageOfRow
): { pageKey: string | null; twin?: string } {
  const { pageKey } = pageOf(url, picture ?? null)
  if (pageKey === null) return { pageKey }
  const same = findSamePage(db, owner, pageKey)
  if (!same || same.rowId === rowId) return { pageKey }
  if (deletedAt !== null) return { pageKey: null }
  if (same.deletedAt === null) return { pageKey: null, twin: same.publicId }
  giveUpPage(db, same.rowId)
  return { pageKey }
}

interface PageOfRow {
  url: string | null
  picture?: string | null
  owner: Owner
  deletedAt: number | null
}

/** Returns the address and its page key. An original picture counts as a page. */
function pageOf(url: FieldValue, picture: FieldValue): Pick<NewRow, 'url' | 'domain' | 'pageKey'> {
  if (typeof picture === 'string') return { url: null, domain: null, pageKey: pictureKey(picture) }
  const address = typeof url === 'string' ? addressOf(url) : undefined
  return address && 'url' in address ? address : { url: null, domain: null, pageKey: null }
}

/** Returns the values of a bookmark's row. Its page key may belong to another bookmark. */
export function stateOf(db: WriteConnection, fields: Fields, time: number): NewRow & OwnReading {
  const text = (name: string) => String(fields[name]?.[0] ?? '')
  const timeOf = (name: string) => Number(fields[name]?.[0] ?? time)
  const picture = fields.picture?.[0]
  const page = pageOf(fields.url?.[0] ?? null, picture ?? null)
  const [visibility, organization, name] = (fields.place?.[0] ?? ['private', null, null]) as (string | null)[]
  const life = fields.life?.[0]
  return {
    type: typeof picture === 'string' ? 'image' : (text('type') as BookmarkType),
    url: page.url,
    domain: page.domain,
    pageKey: page.pageKey,
    ...(typeof picture === 'string' ? { picture } : {}),
    title: text('title'),
    description: text('description'),
    content: text('content'),
    visibility: visibility as Visibility,
    owner: organization == null ? null : organizationAt(db, organization, name ?? '', time),
    createdAt: timeOf('createdAt'),
    updatedAt: timeOf('updatedAt'),
    deletedAt: typeof life === 'number' ? life : null,
    ...readingOf(fields),
    tags: Object.entries(fields).flatMap(([field, [value]]) =>
      field.startsWith('#') && typeof value === 'string' ? value : []
    )
  }
}

type OwnReading = Required<Pick<BookmarkState, 'highlights' | 'place'>>

/** Returns the owner's highlights and place of reading. */
function readingOf(fields: Fields): OwnReading {
  const highlights = Object.entries(fields).flatMap(([field, [value]]) =>
    field.startsWith('^') && typeof value === 'string' ? highlightFrom(field.slice(1), value) : []
  )
  const [block, share] = (fields.read?.[0] ?? []) as number[]
  return { highlights, place: block === undefined || share === undefined ? null : { block, share } }
}

/** Whether the values of a field differ, or those of any field. */
function differ(before: Fields, joined: Fields, name?: string): boolean {
  const names = name === undefined ? Object.keys(joined) : [name]
  return names.some((field) => JSON.stringify(before[field]?.[0]) !== JSON.stringify(joined[field]?.[0]))
}

/** Returns the data of a bookmark's page that is not synchronized. */
function takeOfPage(db: WriteConnection, id: string): { tabText?: PageText | undefined; copy?: PageCopy | undefined } {
  const rowId = rowIdOf(db, id)
  return rowId === undefined ? {} : { tabText: findTabText(db, rowId), copy: findCopy(db, rowId) }
}

function rowIdOf(db: WriteConnection, id: string): number | undefined {
  return readRow<{ id: number }>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`?.id
}
