import type { Place } from '../../contract/bookmark.ts'
import { type BookmarkDraft, LIMITS, type Visibility } from '../../contract/bookmark.ts'
import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Owner } from '../../contract/caller.ts'
import type { ImportDraft, ImportedHighlight } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { cut } from '../../core/clean-text.ts'
import { isItsOwn, nearPageHash } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, run } from '../../database/sql.ts'
import { writeReading } from '../pages/text-rows.ts'
import { addTags, type BookmarkState, findOrMakeTag, giveTag, readState } from './bookmark-state.ts'

type Connection = Pick<ReadConnection, 'prepare'>

/** @throws Problem `not-found` if the organization was deleted, because nobody would see its bookmarks */
export function assertOwner(db: WriteConnection, owner: Owner | undefined): void {
  if (owner == null || exists(db)`SELECT 1 FROM organizations WHERE id = ${owner} AND deleted_at IS NULL`) return
  throw new Problem('not-found', 'The organization is gone.')
}

/** The values of a new bookmark's row, with its highlights and the place where the owner stopped reading. */
export interface NewRow extends BookmarkDraft, Place {
  updatedAt: number
  deletedAt: number | null
  highlights?: ImportedHighlight[] | undefined
  place?: ReadingPlace | null | undefined
}

/** A stored bookmark of the same page, text or color. */
export interface SamePage {
  rowId: number
  publicId: string
  deletedAt: number | null
}

/** Returns the owner's bookmark of this page, in or outside the trash. */
export function findSamePage(db: Connection, owner: Owner, pageKey: string): SamePage | undefined {
  return readRow<SamePage>(db)`
    SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
    WHERE ifnull(organization_id, 0) = ${owner ?? 0} AND page_key = ${pageKey}`
}

/**
 * Returns the stored bookmark that an imported draft repeats: the bookmark with its id, otherwise the owner's bookmark of
 * its page. For a draft without an id and a page, returns the owner's bookmark of the same text or color.
 */
export function findSame(db: Connection, { id, pageKey, owner, type, content }: ImportDraft): SamePage | undefined {
  const same =
    id === undefined
      ? undefined
      : readRow<SamePage>(db)`
          SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ${id}`
  if (same) return same
  if (pageKey !== null) return findSamePage(db, owner, pageKey)
  if (id !== undefined) return undefined
  return readRow<SamePage>(db)`
    SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
    WHERE page_key IS NULL AND type = ${type} AND substr(content, 1, 64) = substr(${content}, 1, 64)
      AND content = ${content}
      AND ifnull(organization_id, 0) = ${owner ?? 0} ORDER BY deleted_at IS NOT NULL LIMIT 1`
}

/**
 * Returns the owner's bookmark outside the trash whose page names this address as its canonical address. The bookmark has
 * nearly the same address, such as one without `www.`.
 */
export function findByCanonicalUrl(db: WriteConnection, owner: Owner, pageKey: string): SamePage | undefined {
  const near = readRows<SamePage & { canonicalUrl: string }>(db)`
    SELECT b.id AS rowId, b.public_id AS publicId, b.deleted_at AS deletedAt, d.canonical_url AS canonicalUrl
    FROM bookmarks b INDEXED BY bookmarks_by_near_page JOIN page_details d ON d.bookmark_id = b.id
    WHERE ifnull(b.organization_id, 0) = ${owner ?? 0} AND b.near_page = ${nearPageHash(pageKey)}
      AND b.deleted_at IS NULL
      AND d.canonical_url IS NOT NULL`
  return near.find(({ canonicalUrl }) => isItsOwn(canonicalUrl, pageKey))
}

/**
 * Restores a bookmark from the trash because its page is saved again. The new title replaces the old one, unless it is
 * empty or only the address. The new description and tags are added to the old ones, up to their limits. Returns the
 * state that the bookmark had in the trash.
 */
export function takeFromTrash(
  db: WriteConnection,
  rowId: number,
  at: number,
  { title, description, tags, url, visibility }: BookmarkDraft & { visibility: Visibility }
): BookmarkState {
  const before = readState(db, rowId, BEFORE_SAVING)
  const had = before.description ?? ''
  const both = description.includes(had) ? description : `${description}\n${had}`
  const whole = had.includes(description) ? had : cut(both, LIMITS.description)
  run(db)`
    UPDATE bookmarks SET deleted_at = NULL, updated_at = ${at}, description = ${whole},
      title = iif(${title} IN ('', ${url}), title, ${title}) WHERE id = ${rowId}`
  addTags(db, rowId, tags)
  // A page that is saved again as private must not be restored as public.
  if (visibility === 'private') makePrivate(db, rowId)
  return before
}

/** Fields that `takeFromTrash` changes, and `organization`, because a rule may then move the bookmark to one. */
const BEFORE_SAVING = ['title', 'description', 'visibility', 'organization', 'tags', 'deletedAt', 'updatedAt']

/**
 * Removes the page key of a bookmark in the trash, so that another bookmark of the same owner can have the key. The
 * bookmark in the trash can still be restored.
 */
export function giveUpPage(db: WriteConnection, rowId: number): void {
  run(db)`UPDATE bookmarks SET page_key = NULL WHERE id = ${rowId}`
}

/** Inserts a bookmark with its tags and returns its row id. */
export function insertBookmark(db: WriteConnection, row: NewRow & { id: string }): number {
  const rowId = insertRow(db, row, row.id, null)
  if (rowId === undefined) throw new Error('There is such a bookmark already.')
  for (const tag of row.tags) giveTag(db, rowId, findOrMakeTag(db, tag))
  writeReading(db, rowId, row)
  return rowId
}

/**
 * Inserts a row and returns its row id; `undefined` if a bookmark already has this id or this page.
 *
 * @param filters the filter tokens of a bookmark that is indexed in the background; `null` for a bookmark that the caller
 *   indexes, and for a bookmark in the trash
 */
export function insertRow(db: WriteConnection, row: NewRow, id: string, filters: string | null): number | undefined {
  const { pageKey, url, picture = null, updatedAt, deletedAt } = row
  const nearPage = picture === null ? nearPageHash(pageKey) : null
  const due = url === null || pageKey === null ? null : updatedAt
  const toIndex = filters === null ? null : 1
  const { changes, lastInsertRowid } = run(
    db,
    INSERT,
    ...[id, row.type, row.visibility, row.owner, pageKey, nearPage, url, row.domain, row.title, row.description],
    ...[row.content, picture, row.createdAt, updatedAt, deletedAt, due, filters, toIndex]
  )
  if (changes === 0) return undefined
  if (deletedAt !== null) run(db)`UPDATE trash_size SET bookmarks = bookmarks + 1`
  return Number(lastInsertRowid)
}

// Values are bound by position: binding a name takes as long as binding a value, and imports have millions of values.
const INSERT = `INSERT INTO bookmarks (public_id, type, visibility, organization_id, page_key, near_page, url, domain,
    title, description, content, picture, created_at, updated_at, deleted_at, details_due, filters, to_index)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

/** Makes a bookmark private, unless it belongs to an organization. */
export function makePrivate(db: WriteConnection, rowId: number): void {
  run(db)`UPDATE bookmarks SET visibility = 'private' WHERE id = ${rowId} AND organization_id IS NULL`
}
