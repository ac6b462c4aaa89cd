import type { SyncRecord } from '../../contract/sync.ts'
import { nextClock } from '../../core/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRows, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { createPublicIds } from '../public-id.ts'
import { type Fields, takeEarly } from './records.ts'

/** Fields in the order of their bits in `sync_log.fields`, which triggers set (database/sync-schema.ts). */
const BOOKMARK_FIELDS = [
  'type',
  'url',
  'title',
  'description',
  'content',
  'createdAt',
  'updatedAt',
  'life',
  'place',
  'read'
]
const ORGANIZATION_FIELDS = ['name', 'life']

/** Fields in the order of their bits. The last one marks a deleted record. */
const SEARCH_AND_RULE_FIELDS = {
  search: ['name', 'address', 'gone'],
  rule: ['query', 'tags', 'place', 'copy', 'deleted']
}

/** All fields, in `sync_log.fields`. */
const ALL_FIELDS = -1

/** Number of changes that get their clocks in one transaction. */
const AT_ONCE = 1000

/** Time in the log of automatic deletions. Their clock follows that of the move to the trash, so any later change wins. */
const AUTOMATIC = 0

/** Marks the changes after a row of the log as automatic, so that a restore on another machine wins. */
export function markAutomatic(db: WriteConnection, since: number): void {
  run(db)`UPDATE sync_log SET at = ${AUTOMATIC} WHERE id > ${since}`
}

/** Returns the last row of the log so far. */
export function lastLogged(db: WriteConnection): number {
  return readValue<number>(db)`SELECT ifnull(max(id), 0) FROM sync_log` ?? 0
}

interface Logged {
  id: number
  bookmark: number | null
  fields: number | null
  tag: string | null
  highlight: string | null
  gone: string | null
  organization: number | null
  search: string | null
  rule: string | null
  at: number
}

/**
 * Gives a batch of the changes that triggers logged their clocks, the earliest first, and marks them to be sent. Returns
 * false if none remain.
 */
export function stampBatch(db: WriteConnection): boolean {
  const state = readState(db)
  const logged = readRows<Logged>(db)`SELECT * FROM sync_log ORDER BY id LIMIT ${AT_ONCE}`
  if (!state || logged.length === 0) return false
  let clock = state.clock
  for (const change of logged) {
    clock = nextClock(clock, Math.min(change.at, state.latest), state.device)
    const { search, rule, fields } = change
    if (search !== null) stampSearchOrRule(db, 'search', search, fields ?? 0, clock)
    else if (rule !== null) stampSearchOrRule(db, 'rule', rule, fields ?? 0, clock)
    else stamp(db, change, clock, state.device)
  }
  run(db)`UPDATE sync_state SET clock = ${clock}`
  run(db)`DELETE FROM sync_log WHERE id <= ${logged.at(-1)?.id}`
  return logged.length === AT_ONCE
}

interface State {
  device: string
  clock: string
  latest: number
}

function readState(db: WriteConnection): State | undefined {
  return readRows<State>(db)`SELECT device, clock, ifnull(latest, 9e15) AS latest FROM sync_state`[0]
}

/**
 * Gives a batch of changes their clocks, in one transaction. Merging and sending do this first for all changes. Returns
 * false if none remain.
 *
 * @param latest the maximum time of these and later changes
 */
export function stampChanges(db: WriteConnection, latest: number): Written<boolean> {
  run(db)`UPDATE sync_state SET latest = ${latest}`
  return { answer: stampBatch(db), events: [] }
}

/** Gives all logged changes their clocks. After a merge they would get clocks later than those of the merged records. */
export function stampAll(db: WriteConnection): void {
  while (stampBatch(db)) {
    // The condition does all the work.
  }
}

function stamp(
  db: WriteConnection,
  { bookmark, fields, tag, highlight, gone, organization, at }: Logged,
  clock: string,
  device: string
): void {
  if (gone !== null) {
    // An import had brought back an id that now belongs to another bookmark, and was undone before anything was sent.
    if (exists(db)`SELECT 1 FROM sync_aliases WHERE record = ${gone}`) return
    const life = readValue<string>(db)`SELECT clock FROM sync_clocks WHERE record = ${gone} AND field = 'life'` ?? ''
    forgetRecord(db, gone)
    setClock(db, gone, 'life', at === AUTOMATIC ? nextClock(life, 1, device) : clock)
    letSend(db, 'bookmark', gone, 'life')
    return
  }
  if (bookmark !== null && fields === ALL_FIELDS) giveOwnId(db, bookmark)
  const [kind, id] =
    bookmark !== null
      ? (['bookmark', readValue<string>(db)`SELECT public_id FROM bookmarks WHERE id = ${bookmark}`] as const)
      : ([
          'organization',
          readValue<string>(db)`SELECT public_id FROM organizations WHERE id = ${organization}`
        ] as const)
  // The bookmark was deleted since. A later row of the log has the deletion.
  if (id === undefined) return
  if (fields === ALL_FIELDS) {
    // A new bookmark is not deleted, whatever happened to an earlier one of the same page.
    setClock(db, id, 'life', clock)
    letSend(db, kind, id, '*')
    return
  }
  const names = kind === 'bookmark' ? BOOKMARK_FIELDS : ORGANIZATION_FIELDS
  const entry = tag !== null ? `#${tag}` : highlight !== null ? `^${highlight}` : undefined
  const changed = entry === undefined ? names.filter((_, bit) => ((fields ?? 0) >> bit) & 1) : [entry]
  for (const field of changed) {
    if (!isOfPage(db, bookmark, field)) setClock(db, id, field, clock)
    letSend(db, kind, id, field)
  }
}

/**
 * Gives the changed fields of a saved search or a rule their clocks. If it was created, deleted or restored, all of its
 * fields get the clock and are sent, because other devices may have none of them.
 */
function stampSearchOrRule(
  db: WriteConnection,
  kind: 'search' | 'rule',
  id: string,
  bits: number,
  clock: string
): void {
  const names = SEARCH_AND_RULE_FIELDS[kind]
  const changed = names.filter((_, bit) => (bits >> bit) & 1)
  const whole = changed.includes(names.at(-1) ?? '')
  if (whole) takeEarly(db, id)
  for (const field of whole ? names : changed) setClock(db, id, field, clock)
  for (const field of whole ? ['*'] : changed) letSend(db, kind, id, field)
}

/** Whether a text came from the page. Text that a person wrote on another device has priority. */
function isOfPage(db: WriteConnection, bookmark: number | null, field: string): boolean {
  if (bookmark === null || (field !== 'title' && field !== 'description')) return false
  return exists(db)`
    SELECT 1 FROM bookmarks b JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.id = ${bookmark} AND iif(${field} = 'title', d.title = b.title, d.description = b.description)`
}

/** Gives a bookmark a new id if its id, which an import kept, now belongs to another bookmark that it was merged into. */
function giveOwnId(db: WriteConnection, bookmark: number): void {
  run(db)`
    UPDATE bookmarks SET public_id = ${createPublicIds()()}
    WHERE id = ${bookmark} AND public_id IN (SELECT record FROM sync_aliases)`
}

/** Makes the present value of a field a change of this device that is later than all changes it has read. */
export function stampNow(
  db: WriteConnection,
  kind: 'bookmark' | 'organization',
  record: string,
  field: string,
  at: number
): void {
  const state = readState(db)
  if (!state) return
  const clock = nextClock(state.clock, Math.min(at, state.latest), state.device)
  run(db)`UPDATE sync_state SET clock = ${clock}`
  setClock(db, record, field, clock)
  letSend(db, kind, record, field)
}

/** Deletes the clocks and marks of a record that no longer exists. */
export function forgetRecord(db: WriteConnection, id: string): void {
  run(db)`DELETE FROM sync_clocks WHERE record = ${id}`
  run(db)`DELETE FROM sync_unsent WHERE kind <> 'alias' AND record = ${id}`
}

export function setClock(db: WriteConnection, record: string, field: string, clock: string): void {
  run(db)`INSERT OR REPLACE INTO sync_clocks (record, field, clock) VALUES (${record}, ${field}, ${clock})`
}

/** Stores the clocks of joined fields that changed. */
export function keepClocks(db: WriteConnection, record: string, before: Fields, joined: Fields): void {
  for (const [name, [, clock]] of Object.entries(joined)) {
    if (clock !== '' && clock !== before[name]?.[1]) setClock(db, record, name, clock)
  }
}

/** Marks a field of a record to be sent with one of the next segments; `*` marks all fields. */
export function letSend(db: WriteConnection, kind: SyncRecord['kind'], record: string, field: string): void {
  run(db)`INSERT OR IGNORE INTO sync_unsent (record, field, kind) VALUES (${record}, ${field}, ${kind})`
}

/** Records that a record has another id from now on, and sends that to other devices. */
export function noteAlias(db: WriteConnection, goes: string, stays: string): void {
  run(db)`UPDATE sync_aliases SET stays = ${stays} WHERE stays = ${goes}`
  run(db)`INSERT OR REPLACE INTO sync_aliases (record, stays) VALUES (${goes}, ${stays})`
  letSend(db, 'alias', goes, '*')
}
