import { nearPageHash } from '../../core/near-page.ts'
import { ownPageHash } from '../../core/own-page.ts'
import { PAGE_KEY_RULES, pageKey } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'

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

/** Whether every bookmark has its key by the rules of today. */
export function pageKeysCurrent(db: ReadConnection): () => boolean {
  const read = db.prepare('SELECT rules = ? AND up_to IS NULL FROM page_key_rules').pluck()
  return () => read.get(PAGE_KEY_RULES) === 1
}

/**
 * Brings the keys of what was saved under other rules up to those of today. Where they make one page of two, the key is
 * of a living bookmark before one in the trash; a living one that comes too late keeps its old key, and both are found
 * as duplicates.
 */
export function pageKeyWrites(db: WriteConnection) {
  const current = pageKeysCurrent(db)
  const readState = db.prepare<[], { rules: number; upTo: number | null }>(
    'SELECT rules, up_to AS upTo FROM page_key_rules'
  )
  const writeState = db.prepare('UPDATE page_key_rules SET rules = ?, up_to = ?')
  const next = db.prepare<[number, number], Row>(
    `SELECT b.id, ifnull(b.organization_id, 0) AS owner, b.url, b.page_key AS pageKey, b.deleted_at AS deletedAt,
       d.canonical_url AS canonicalUrl
     FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
     WHERE b.id > ? AND b.type IN ('link', 'image') AND b.url IS NOT NULL ORDER BY b.id LIMIT ?`
  )
  const holder = db.prepare<[number, string], { id: number; deletedAt: number | null }>(
    'SELECT id, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = ? AND page_key = ?'
  )
  const setKey = db.prepare('UPDATE bookmarks SET page_key = ? WHERE id = ?')
  const setOwn = db.prepare('UPDATE page_details SET own_page = ? WHERE bookmark_id = ?')
  const setNear = db.prepare('UPDATE bookmarks SET near_page = ? WHERE id = ?')

  function rekey({ id, owner, url, pageKey: old, deletedAt, canonicalUrl }: Row): void {
    if (canonicalUrl !== null) setOwn.run(ownPageHash(url, canonicalUrl), id)
    const key = pageKey(url)
    setNear.run(nearPageHash(key), id)
    if (old === null || old === key) return
    const other = holder.get(owner, key)
    if (!other) setKey.run(key, id)
    else if (deletedAt !== null) setKey.run(null, id)
    else if (other.deletedAt !== null) {
      setKey.run(null, other.id)
      setKey.run(key, id)
    }
  }

  return {
    /** Goes a step further; false when all is done. */
    rekeySome: db.transaction((): boolean => {
      if (current()) return false
      const state = readState.get()
      const rows = next.all(state?.rules === PAGE_KEY_RULES ? (state.upTo ?? 0) : 0, STEP)
      for (const row of rows) rekey(row)
      writeState.run(PAGE_KEY_RULES, rows.length < STEP ? null : rows.at(-1)?.id)
      return true
    })
  }
}
