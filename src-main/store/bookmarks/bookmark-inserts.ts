import type { BookmarkDraft } from '../../contract/bookmark.ts'
import type { Place } from '../../contract/bookmark-change.ts'
import type { Owner } from '../../contract/caller.ts'
import { nearPageHash } from '../../core/near-page.ts'
import { isItsOwn } from '../../core/own-page.ts'
import type { WriteConnection } from '../connection.ts'
import { bookmarkTags } from './bookmark-tags.ts'

/** A bookmark that does not exist yet, as its row will be. */
interface NewRow extends BookmarkDraft, Place {
  updatedAt: number
  deletedAt: number | null
}

interface Found {
  rowId: number
  publicId: string
  deletedAt: number | null
}

/** Adds bookmarks with their tags; for use inside a transaction, which ends by bringing the index up to them. */
export function bookmarkInserts(db: WriteConnection) {
  const sql = statements(db)
  const tags = bookmarkTags(db)

  /**
   * `undefined` where a bookmark has its id, or is its page.
   *
   * @param filters of one that is indexed later
   */
  function insertRow(row: NewRow, id: string, filters: string | null): number | undefined {
    const { pageKey, url, picture = null, updatedAt, deletedAt } = row
    const unindexed = filters === null ? null : 1
    const nearPage = picture === null && unindexed === null ? nearPageHash(pageKey) : null
    const due = url === null || pageKey === null || unindexed ? null : updatedAt
    const { changes, lastInsertRowid } = sql.insert.run(
      ...[id, row.type, row.visibility, row.owner, pageKey, nearPage, url, row.domain, row.title, row.description],
      ...[row.content, picture, row.createdAt, updatedAt, deletedAt, due, filters, unindexed]
    )
    if (changes === 0) return undefined
    if (deletedAt !== null) sql.countTrash.run()
    return Number(lastInsertRowid)
  }

  return {
    /** The bookmark of the same owner that is this page, in the trash or not. */
    samePage: (owner: Owner, pageKey: string | null) =>
      pageKey === null ? undefined : sql.samePage.get(owner ?? 0, pageKey),
    /** The bookmark of the same owner whose page gives this as its own address: with `www.`, without, or by https. */
    byCanonicalUrl: (owner: Owner, pageKey: string | null): Found | undefined =>
      pageKey === null
        ? undefined
        : sql.nearPages
            .all(owner ?? 0, nearPageHash(pageKey))
            .find(({ canonicalUrl }) => isItsOwn(canonicalUrl, pageKey)),
    /** Takes a bookmark out of the trash. */
    restore(rowId: number, at: number): void {
      sql.restore.run(at, rowId)
    },
    /** @returns its row id */
    insert(row: NewRow & { id: string }): number {
      const rowId = insertRow(row, row.id, null)
      if (rowId === undefined) throw new Error('There is such a bookmark already.')
      for (const tag of row.tags) tags.give(rowId, tags.findOrMake(tag))
      return rowId
    },
    /**
     * Inserts a row whose words are indexed later and whose tags are given with `giveTags`.
     *
     * @param filters what it is filtered by; `null` in the trash
     * @returns `undefined` where a bookmark has its id, or is its page
     */
    insertUnindexed: insertRow,
    giveTags: tags.giveAll
  }
}

function statements(db: WriteConnection) {
  return {
    samePage: db.prepare<[number, string], Found>(
      `SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
       WHERE ifnull(organization_id, 0) = ? AND page_key = ?`
    ),
    nearPages: db.prepare<[number, number | null], Found & { canonicalUrl: string }>(
      `SELECT b.id AS rowId, b.public_id AS publicId, b.deleted_at AS deletedAt, d.canonical_url AS canonicalUrl
       FROM bookmarks b INDEXED BY bookmarks_by_near_page JOIN page_details d ON d.bookmark_id = b.id
       WHERE ifnull(b.organization_id, 0) = ? AND b.near_page = ? AND b.deleted_at IS NULL
         AND d.canonical_url IS NOT NULL`
    ),
    restore: db.prepare('UPDATE bookmarks SET deleted_at = NULL, updated_at = ? WHERE id = ?'),
    // By position: a name costs as much as a value, and imports have millions of them.
    insert: db.prepare(
      `INSERT INTO bookmarks (public_id, type, visibility, organization_id, page_key, near_page, url, domain, title,
         description, content, picture, created_at, updated_at, deleted_at, details_due, filters, unindexed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
    ),
    countTrash: db.prepare('UPDATE trash_size SET bookmarks = bookmarks + 1')
  }
}
