import { nearPageHash, ownPageHash, PAGE_KEY_RULES, pageKey } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, run } from '../../database/sql.ts'

/** Bookmarks a step; between two of them other writes get their turn. */
const STEP = 500

interface Row {
  id: number
  owner: number
  url: string
  pageKey: string | null
  deletedAt: number | null
  canonicalUrl: string | null
}

/** Returns whether every bookmark has its key by the rules of today. */
export function pageKeysAreCurrent(db: ReadConnection): boolean {
  return readValue(db)`SELECT rules = ${PAGE_KEY_RULES} AND up_to IS NULL FROM page_key_rules` === 1
}

/**
 * Updates a batch of page keys that earlier rules made. If two bookmarks become the same page, one outside the trash gets
 * the key. If both are outside the trash, the second keeps its old key, and both are found as duplicates. Runs inside a
 * transaction.
 *
 * @returns false if all keys are up to date
 */
export function rekeyBatch(db: WriteConnection): boolean {
  if (pageKeysAreCurrent(db)) return false
  const state = readRow<{ rules: number; upTo: number | null }>(db)`SELECT rules, up_to AS upTo FROM page_key_rules`
  const rows = readRows<Row>(db)`
    SELECT b.id, ifnull(b.organization_id, 0) AS owner, b.url, b.page_key AS pageKey, b.deleted_at AS deletedAt,
      d.canonical_url AS canonicalUrl
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.id > ${state?.rules === PAGE_KEY_RULES ? (state.upTo ?? 0) : 0} AND b.type IN ('link', 'image')
      AND b.url IS NOT NULL ORDER BY b.id LIMIT ${STEP}`
  for (const row of rows) rekey(db, row)
  const upTo = rows.length < STEP ? null : rows.at(-1)?.id
  run(db)`UPDATE page_key_rules SET rules = ${PAGE_KEY_RULES}, up_to = ${upTo}`
  return true
}

function rekey(db: WriteConnection, { id, owner, url, pageKey: old, deletedAt, canonicalUrl }: Row): void {
  if (canonicalUrl !== null) {
    run(db)`UPDATE page_details SET own_page = ${ownPageHash(url, canonicalUrl)} WHERE bookmark_id = ${id}`
  }
  const key = pageKey(url)
  run(db)`UPDATE bookmarks SET near_page = ${nearPageHash(key)} WHERE id = ${id}`
  if (old === null || old === key) return
  const other = readRow<{ id: number; deletedAt: number | null }>(db)`
    SELECT id, deleted_at AS deletedAt FROM bookmarks
      WHERE ifnull(organization_id, 0) = ${owner} AND page_key = ${key}`
  if (!other) setKey(db, id, key)
  else if (deletedAt !== null) setKey(db, id, null)
  else if (other.deletedAt !== null) {
    setKey(db, other.id, null)
    setKey(db, id, key)
  }
}

function setKey(db: WriteConnection, id: number, key: string | null): void {
  run(db)`UPDATE bookmarks SET page_key = ${key} WHERE id = ${id}`
}
