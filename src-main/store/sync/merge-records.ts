import { Problem } from '../../contract/problem.ts'
import type { SyncRecord } from '../../contract/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { mergeBookmark, uniteBookmarks } from './merge-bookmarks.ts'
import { mergeOrganization } from './merge-organizations.ts'
import { mergeRule, mergeSearch } from './merge-searches-and-rules.ts'
import { rootOf } from './records.ts'
import { stampAll } from './stamping.ts'
import { spellTags } from './tag-spelling.ts'
import { uniteOrganizations } from './unite-organizations.ts'

/**
 * Merges some records of another device. In any order, and any number of times, the same records give the same
 * bookmarks.
 *
 * @returns how many of them changed something
 */
export function mergeRecords(db: WriteConnection, records: SyncRecord[], at: number): Written<number> {
  const touched = new Set<number>()
  let changed = 0
  whileMerging(db, records, () => {
    for (const record of records) if (merge(db, record, at, touched)) changed += 1
  })
  searchIndex(db).refresh([...touched])
  const kinds = ['bookmarks', 'tags', 'organizations', 'searches', 'rules'] as const
  return { answer: changed, events: changed === 0 ? [] : kinds.map((kind) => ({ kind })) }
}

/**
 * Runs work whose changes are not recorded as changes of this device, in one transaction.
 *
 * @throws Problem `taken` if the owner has left synchronization since
 */
export function whileMerging(db: WriteConnection, records: SyncRecord[], work: () => void): void {
  stampAll(db)
  const begun = run(db)`UPDATE sync_state SET merging = 1, clock = max(clock, ${latestClock(records)})`
  if (begun.changes === 0) throw new Problem('taken', 'This machine no longer synchronizes.')
  spellTags(db, records)
  work()
  run(db)`UPDATE sync_state SET merging = 0`
}

function merge(db: WriteConnection, { kind, id, fields }: SyncRecord, at: number, touched: Set<number>): boolean {
  if (kind === 'bookmark') return mergeBookmark(db, id, fields, at, touched)
  if (kind === 'organization') return mergeOrganization(db, id, fields, at)
  if (kind === 'search') return mergeSearch(db, id, fields)
  if (kind === 'rule') return mergeRule(db, id, fields, at)
  // `spellTags` has done it.
  if (kind === 'tag') return false
  const stays = fields.stays?.[0]
  if (typeof stays !== 'string') return false
  const areOrganizations = exists(db)`
    SELECT 1 FROM organizations WHERE public_id IN (${rootOf(db, id)}, ${rootOf(db, stays)})
    UNION ALL SELECT 1 FROM sync_early
      WHERE kind = 'organization' AND record IN (${rootOf(db, id)}, ${rootOf(db, stays)})`
  const unite = areOrganizations ? uniteOrganizations : uniteBookmarks
  return unite(db, id, stays, at, touched)
}

function latestClock(records: SyncRecord[]): string {
  let latest = ''
  for (const { fields } of records) for (const [, clock] of Object.values(fields)) if (clock > latest) latest = clock
  return latest
}
