import type { WriteConnection } from '../../database/connection.ts'

/** Counts of rows that referred to missing rows and were mended or removed. */
export interface MendedReferences {
  /** Bookmarks of a missing organization, which became the profile's. */
  adopted: number
  /** Keys of a missing organization, which were revoked. */
  revoked: number
  /** Other rows that were removed because they are useless without the missing row. */
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
    // The hash stays, because importing an export that contains the picture restores it.
    if (parent === 'pictures') continue
    const gone = `"${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${parent}")`
    if (isOptional) db.exec(`UPDATE "${table}" SET "${from}" = NULL WHERE ${gone}`)
    else mended.removed += db.prepare(`DELETE FROM "${table}" WHERE ${gone}`).run().changes
  }
  // An undo cannot restore a missing organization or tag.
  db.exec(
    `DELETE FROM undo_bookmarks WHERE
       json_type(before, '$.organization') = 'integer'
         AND json_extract(before, '$.organization') NOT IN (SELECT id FROM organizations)
       OR EXISTS (SELECT 1 FROM json_each(before, '$.tags') WHERE value NOT IN (SELECT id FROM tags))`
  )
  return mended
}

/**
 * Makes bookmarks of missing organizations private bookmarks of the profile. If the profile has the same page, the
 * bookmark loses its page key, and is a duplicate until the two are merged.
 */
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

/** Without its organization, a key would be a key of the profile, which can read everything. */
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

/** Returns every foreign key of the library's tables. */
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
