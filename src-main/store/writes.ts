import { bookmarkWrites } from './bookmark-writes.ts'
import { callWrites } from './call-store.ts'
import type { WriteConnection } from './connection.ts'
import { keyWrites } from './key-store.ts'
import { organizationWrites } from './organization-store.ts'
import { sessionWrites } from './session-store.ts'
import { settingWrites } from './setting-store.ts'

/** Everything the writing thread can do. */
export function allWrites(db: WriteConnection) {
  return {
    ...bookmarkWrites(db),
    ...organizationWrites(db),
    ...keyWrites(db),
    ...callWrites(db),
    ...sessionWrites(db),
    ...settingWrites(db)
  }
}

export type Writes = ReturnType<typeof allWrites>
