import { Problem } from '../../contract/problem.ts'
import { APPLICATION_ID, type WriteConnection } from '../connection.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/all.ts'

/**
 * Brings a library up to the newest schema, step by step. A library from a newer Earmark is refused.
 *
 * @param backUp is called once, before the first step, when the library already holds something
 * @returns the versions that were applied
 */
export function migrate(
  db: WriteConnection,
  backUp: (from: number) => void,
  steps: Migration[] = migrations
): number[] {
  const stored = db.pragma('user_version', { simple: true }) as number
  assertNotNewer(stored, steps)
  const pending = steps.filter((step) => step.version > stored)
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

/** Whether a library with this schema has nothing to be brought up to. */
export function isCurrent(stored: number): boolean {
  return stored === migrations.at(-1)?.version
}

/** @throws Problem `store-too-new` when a newer Earmark made this schema */
export function assertNotNewer(stored: number, steps: Migration[] = migrations): void {
  const newest = steps.at(-1)?.version ?? 0
  if (stored <= newest) return
  throw new Problem(
    'store-too-new',
    `This library was last opened by a newer version of Earmark (${stored} > ${newest}). Update Earmark to open it.`
  )
}
