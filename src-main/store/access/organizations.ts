import Sqlite from 'better-sqlite3'
import type { DeletionPreview, Organization } from '../../contract/organization.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/fold-name.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countOf } from '../../search/sql/filter-counts.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'
import { publicId } from '../public-id.ts'
import { organizationDeletion } from './organization-deletion.ts'

/** Organizations. */
export const organizations = family({
  here: organizationReads,
  writes: (db) => ({ ...organizationWrites(db), ...organizationDeletion(db) }),
  emits: {
    createOrganization: () => [{ kind: 'organizations' }],
    renameOrganization: () => [{ kind: 'organizations' }, { kind: 'bookmarks' }],
    previewDeletion: noEvents,
    deleteOrganizationSome: () => [{ kind: 'organizations' }, { kind: 'bookmarks' }]
  }
})

/** What the writing thread can do to organizations. */
function organizationWrites(db: WriteConnection) {
  const insert = db.prepare('INSERT INTO organizations (public_id, name, folded, created_at) VALUES (?, ?, ?, ?)')
  const rename = db.prepare('UPDATE organizations SET name = ?, folded = ? WHERE id = ? AND deleted_at IS NULL')
  const countBookmarks = db
    .prepare<[number], number>('SELECT count(*) FROM bookmarks WHERE organization_id = ? AND deleted_at IS NULL')
    .pluck()
  const keys = db.prepare<[number], DeletionPreview['keys'][number]>(
    `SELECT public_id AS id, name, last_client AS client FROM api_keys WHERE organization_id = ? AND revoked_at IS NULL
     ORDER BY name COLLATE NOCASE`
  )
  const countDuplicates = db
    .prepare<[number], number>(
      `SELECT count(*) FROM bookmarks b JOIN bookmarks mine
         ON ifnull(mine.organization_id, 0) = 0 AND mine.page_key = b.page_key AND mine.deleted_at IS NULL
       WHERE b.organization_id = ? AND b.deleted_at IS NULL`
    )
    .pluck()
  return {
    createOrganization(name: string, createdAt: number): Organization {
      const id = publicId()
      const { lastInsertRowid } = named(name, () => insert.run(id, name, foldName(name), createdAt))
      return { rowId: Number(lastInsertRowid), id, name, createdAt, bookmarks: 0, keys: 0 }
    },
    renameOrganization: (rowId: number, name: string): boolean =>
      named(name, () => rename.run(name, foldName(name), rowId)).changes > 0,
    /** Counted here, because no call waits for this thread's reads, and a large organization takes long. */
    previewDeletion: (rowId: number): DeletionPreview => ({
      bookmarks: countBookmarks.get(rowId) ?? 0,
      keys: keys.all(rowId),
      duplicates: countDuplicates.get(rowId) ?? 0
    })
  }
}

/** Does what gives an organization its name. */
function named<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Problem('taken', `There is already an organization named ${name}.`)
    }
    throw error
  }
}

/** What can be asked about organizations. */
function organizationReads(db: ReadConnection) {
  const list = db.prepare(
    `SELECT id AS rowId, public_id AS id, name, created_at AS createdAt,
       (SELECT count(*) FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL) AS keys
     FROM organizations o WHERE deleted_at IS NULL ORDER BY folded`
  )
  return {
    listOrganizations: (): Organization[] =>
      (list.all() as Omit<Organization, 'bookmarks'>[]).map((row) => ({
        ...row,
        bookmarks: countOf(db, filterToken.organization(row.rowId))
      }))
  }
}
