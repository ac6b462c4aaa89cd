import { Problem } from '../contract/problem.ts'
import { APPLICATION_ID, type WriteConnection } from './connection.ts'
import { MIGRATIONS } from './migrations.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** The oldest schema that the steps start from. */
const OLDEST_VERSION = 300

/**
 * Creates the schema in an empty library, or upgrades an existing one step by step.
 *
 * @param backUp is called once, before the first step of an upgrade
 * @returns the new versions, in order
 * @throws Problem `store-too-new` or `store-too-old`
 */
export function migrate(db: WriteConnection, backUp: (from: number) => void, steps = MIGRATIONS): number[] {
  const stored = db.pragma('user_version', { simple: true }) as number
  assertSupported(stored, steps.at(-1)?.version)
  const pending =
    stored === 0 ? [{ version: SCHEMA_VERSION, sql: SCHEMA }] : steps.filter((step) => step.version > stored)
  if (pending.length > 0 && stored > 0) backUp(stored)
  for (const step of pending) {
    db.transaction(() => {
      db.exec(step.sql)
      db.pragma(`application_id = ${APPLICATION_ID}`)
      db.pragma(`user_version = ${step.version}`)
    })()
  }
  return pending.map((step) => step.version)
}

/** @throws Problem `store-too-new` if a newer Earmark wrote this schema, `store-too-old` if no step starts from it */
export function assertSupported(stored: number, newest = SCHEMA_VERSION): void {
  if (stored > newest) {
    throw new Problem(
      'store-too-new',
      `This library was last opened by a newer version of Earmark (${stored} > ${newest}). Update Earmark to open it.`
    )
  }
  if (stored > 0 && stored < OLDEST_VERSION) {
    throw new Problem(
      'store-too-old',
      `This library was last opened by an early version of Earmark (${stored} < ${OLDEST_VERSION}) and cannot be upgraded. ` +
        'It was not changed. Export it with that version, then import the file into a new library.'
    )
  }
}
