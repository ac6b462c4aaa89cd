import Sqlite from 'better-sqlite3'
import type { Organization } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { foldName } from '../core/fold-name.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import { publicId } from './public-id.ts'

/** What the writing thread can do to organizations. */
export function organizationWrites(db: WriteConnection) {
  const insert = db.prepare('INSERT INTO organizations (public_id, name, folded, created_at) VALUES (?, ?, ?, ?)')
  return {
    createOrganization(name: string, createdAt: number): Organization {
      const id = publicId()
      try {
        return { rowId: Number(insert.run(id, name, foldName(name), createdAt).lastInsertRowid), id, name, createdAt }
      } catch (error) {
        if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
          throw new Problem('taken', `There is already an organization named ${name}.`)
        }
        throw error
      }
    }
  }
}

/** What can be asked about organizations. */
export function organizationReads(db: ReadConnection) {
  const list = db.prepare(
    'SELECT id AS rowId, public_id AS id, name, created_at AS createdAt FROM organizations ORDER BY folded'
  )
  return {
    listOrganizations: () => list.all() as Organization[]
  }
}
