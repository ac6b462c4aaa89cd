import type { DeletionPreview, Organization } from '../../contract/organization.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { insert, readRows, readValue, run } from '../../database/sql.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countOf } from '../../search/sql/filter-counts.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'
import { orTaken } from './unique-name.ts'

/** @throws Problem `taken` when there is one of this name, in any case */
export function createOrganization(db: WriteConnection, name: string, createdAt: number): Written<Organization> {
  const id = publicId()
  const rowId = orTaken(
    `There is already an organization named ${name}.`,
    () =>
      insert(db)`
      INSERT INTO organizations (public_id, name, folded, created_at)
        VALUES (${id}, ${name}, ${foldName(name)}, ${createdAt})`
  )
  return { answer: { rowId, id, name, createdAt, bookmarks: 0, keys: 0 }, events: [{ kind: 'organizations' }] }
}

/** False when there is no such organization. Throws Problem `taken`. */
export function renameOrganization(db: WriteConnection, rowId: number, name: string): Written<boolean> {
  const { changes } = orTaken(
    `There is already an organization named ${name}.`,
    () =>
      run(db)`
      UPDATE organizations SET name = ${name}, folded = ${foldName(name)} WHERE id = ${rowId} AND deleted_at IS NULL`
  )
  return { answer: changes > 0, events: [{ kind: 'organizations' }, { kind: 'bookmarks' }] }
}

/**
 * Returns what deleting an organization would do. It runs on the writing thread, because no call waits for its reads and
 * a large organization takes long.
 */
export function previewDeletion(db: WriteConnection, rowId: number): Written<DeletionPreview> {
  const bookmarks = readValue<number>(db)`
    SELECT count(*) FROM bookmarks WHERE organization_id = ${rowId} AND deleted_at IS NULL`
  const keys = readRows<DeletionPreview['keys'][number]>(db)`
    SELECT public_id AS id, name, last_client AS client FROM api_keys
      WHERE organization_id = ${rowId} AND revoked_at IS NULL
    ORDER BY name COLLATE NOCASE`
  const duplicates = readValue<number>(db)`
    SELECT count(*) FROM bookmarks b JOIN bookmarks mine
      ON ifnull(mine.organization_id, 0) = 0 AND mine.page_key = b.page_key AND mine.deleted_at IS NULL
    WHERE b.organization_id = ${rowId} AND b.deleted_at IS NULL`
  return { answer: { bookmarks: bookmarks ?? 0, keys, duplicates: duplicates ?? 0 }, events: [] }
}

/** Returns all organizations, by name. */
export function listOrganizations(db: ReadConnection): Organization[] {
  const rows = readRows<Omit<Organization, 'bookmarks'>>(db)`
    SELECT id AS rowId, public_id AS id, name, created_at AS createdAt,
      (SELECT count(*) FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL) AS keys
    FROM organizations o WHERE deleted_at IS NULL ORDER BY folded`
  return rows.map((row) => ({ ...row, bookmarks: countOf(db, filterToken.organization(row.rowId)) }))
}
