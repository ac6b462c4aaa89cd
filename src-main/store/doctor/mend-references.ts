import type { WriteConnection } from '../../database/connection.ts'

/** Counts of rows that referred to missing rows and were mended or removed. */
export interface MendedReferences {
  /** Bookmarks of an organization that is gone. */
  adopted: number
  /** Keys of one. */
  revoked: number
  /** Removed rows that mean nothing without the missing row. */
  removed: number
}

/**
 * Repairs every reference to a missing row, inside a transaction. A bookmark of a missing organization becomes a private
 * bookmark of the profile, and a key of a missing organization is revoked, so that nobody else can see or use them. Other
 * rows lose the reference, or are removed if they only join two rows. The search index has to be rebuilt afterwards.
 */
export function mendReferences(db: WriteConnection, now: number): MendedReferences {
  const mended = { adopted: adoptBookmarks(db, now), revoked: revokeKeys(db, now), removed: 0 }
  for (const { table, from, to, parent, isOptional } of references(db)) {
    // By its hash an import of an export gives a picture back.
    if (parent === 'pictures') continue
    const gone = `"${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${parent}")`
    if (isOptional) db.exec(`UPDATE "${table}" SET "${from}" = NULL WHERE ${gone}`)
    else mended.removed += db.prepare(`DELETE FROM "${table}" WHERE ${gone}`).run().changes
  }
  // A step cannot restore a missing bookmark.
  db.exec(
    `DELETE FROM undo_bookmarks WHERE
       json_type(before, '$.organization') = 'integer'
         AND json_extract(before, '$.organization') NOT IN (SELECT id FROM organizations)
       OR EXISTS (SELECT 1 FROM json_each(before, '$.tags') WHERE value NOT IN (SELECT id FROM tags))`
  )
  return mended
}

/** If the profile has the same page, the bookmark stays without a page key, as duplicates do until they are merged. */
function adoptBookmarks(db: WriteConnection, now: number): number {
  const forgetPage = db.prepare(
    `UPDATE bookmarks SET page_key = NULL WHERE id = ?
       AND page_key IN (SELECT page_key FROM bookmarks WHERE ifnull(organization_id, 0) = 0)`
  )
  const adopt = db.prepare(
    `UPDATE bookmarks SET organization_id = NULL, visibility = 'private', updated_at = max(?, updated_at + 1) WHERE id = ?`
  )
  const orphans = db
    .prepare<[], number>(`SELECT id FROM bookmarks WHERE ${LOST_ORGANIZATION} ORDER BY id`)
    .pluck()
    .all()
  for (const id of orphans) {
    forgetPage.run(id)
    adopt.run(now, id)
  }
  return orphans.length
}

/** Without its organization a key would be the profile's, which sees everything. */
function revokeKeys(db: WriteConnection, now: number): number {
  return db
    .prepare(
      `UPDATE api_keys SET organization_id = NULL, revoked_at = ifnull(revoked_at, ?) WHERE ${LOST_ORGANIZATION}`
    )
    .run(now).changes
}

const LOST_ORGANIZATION = 'organization_id IS NOT NULL AND organization_id NOT IN (SELECT id FROM organizations)'

interface Reference {
  table: string
  from: string
  to: string
  parent: string
  isOptional: boolean
}

/** Every reference that a table of ours makes to another. */
function references(db: WriteConnection): Reference[] {
  return db
    .prepare<[], Omit<Reference, 'isOptional'> & { isOptional: number }>(
      `SELECT t.name AS "table", f."from", f."to", f."table" AS parent, c."notnull" = 0 AND c.pk = 0 AS isOptional
       FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f
         JOIN pragma_table_info(t.name) c ON c.name = f."from"
       WHERE t.schema = 'main'`
    )
    .all()
    .map((row) => ({ ...row, isOptional: row.isOptional === 1 }))
}
