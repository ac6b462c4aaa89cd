import type { SyncRecord, SyncSegment } from '../../contract/sync.ts'
import { joinFields } from '../../core/sync.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValues, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import {
  bookmarkFields,
  type Fields,
  organizationFields,
  readEarly,
  rootOf,
  ruleFields,
  searchFields
} from './records.ts'
import { stampBatch } from './stamping.ts'
import { noteSent } from './tag-spelling.ts'

/** Limits of a segment, which is written in one transaction of about 0.1 s and read in about 10 ms. */
const MAX_RECORDS = 1000
const MAX_CHARACTERS = 1_000_000

/** Maximum number of records that are read before their size is known. */
const PART = 250

interface State {
  device: string
  name: string
  paused: number
  segment: number
}

interface Waiting {
  record: string
  kind: Exclude<SyncRecord['kind'], 'tag'>
  fields: string
}

/**
 * Returns the next segment of changes, which stays the same until `segmentSent`; `undefined` if nothing changed. The
 * segment stays in the library until it is written, so that nothing is lost if the process ends in between.
 */
export function nextSegment(db: WriteConnection): Written<SyncSegment | undefined> {
  const state = readRow<State>(db)`
    SELECT device, name, paused, segment FROM sync_state`
  if (!state || state.paused === 1) return { answer: undefined, events: [] }
  const { device, name } = state
  const begun = readRow<{ number: number; records: string }>(db)`SELECT number, records FROM sync_outbox`
  if (begun) {
    return { answer: { device, name, number: begun.number, records: JSON.parse(begun.records) }, events: [] }
  }
  stampBatch(db)
  const records = takeUnsent(db)
  if (records.length === 0) return { answer: undefined, events: [] }
  noteSent(db, records)
  const number = state.segment + 1
  run(db)`INSERT INTO sync_outbox (number, records) VALUES (${number}, ${JSON.stringify(records)})`
  run(db)`UPDATE sync_state SET segment = ${number}`
  return { answer: { device, name, number, records }, events: [] }
}

export function segmentSent(db: WriteConnection, number: number): Written<void> {
  run(db)`DELETE FROM sync_outbox WHERE number = ${number}`
  return { answer: undefined, events: [] }
}

/** Takes changed records: bookmarks before organizations, because an organization is deleted when it is empty. */
function takeUnsent(db: WriteConnection): SyncRecord[] {
  const taken: SyncRecord[] = []
  let room = MAX_CHARACTERS
  while (taken.length < MAX_RECORDS && room > 0) {
    const waiting = readRows<Waiting>(db)`
      SELECT record, kind, json_group_array(field) AS fields FROM sync_unsent
      GROUP BY kind, record ORDER BY kind, record LIMIT ${PART}`
    if (waiting.length === 0) break
    for (const row of waiting) {
      if (room <= 0) break
      run(db)`DELETE FROM sync_unsent WHERE record = ${row.record} AND kind = ${row.kind}`
      const fields = fieldsOf(db, row)
      if (!fields) continue
      taken.push({ kind: row.kind, id: row.record, fields })
      room -= JSON.stringify(fields).length
    }
  }
  return taken
}

const FIELDS = { bookmark: bookmarkFields, organization: organizationFields, search: searchFields, rule: ruleFields }

function fieldsOf(db: WriteConnection, { record, kind, fields }: Waiting): Fields | undefined {
  if (kind === 'alias') return { stays: [rootOf(db, record), ''] }
  const all = FIELDS[kind](db, record)
  const names: string[] = JSON.parse(fields)
  // A deleted or incomplete record may come back from a device without this information.
  if (names.includes('*')) return joined(readEarly(db, record), all)
  if (!all) return undefined
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

function joined(early: Fields | undefined, all: Fields | undefined): Fields | undefined {
  return early && all ? joinFields(early, all) : (early ?? all)
}

/** Returns about how many records are not sent yet. A change without a clock counts as a record. */
export function countUnsent(db: ReadConnection): number {
  const [changed = 0, logged = 0, before = 0] = readValues<number>(db)`
    SELECT count(*) FROM (SELECT DISTINCT record FROM sync_unsent)
    UNION ALL SELECT count(*) FROM sync_log
    UNION ALL SELECT max(0, all_up_to - all_after) FROM sync_state`
  return changed + logged + before
}
