import type { SyncField, SyncRecord } from '../../contract/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readTuples, readValue, run } from '../../database/sql.ts'
import { findOrMakeTag } from '../bookmarks/bookmark-state.ts'
import { setClock } from './stamping.ts'

/**
 * A tag may be `Work` on one machine and `WORK` on another. All machines use the spelling of the latest change that added
 * the tag to a bookmark or renamed it. A spelling is stored as its clock, a space and the name, so that the greater text is
 * the later spelling. Of two at the same time, the one with more small letters is greater.
 */

/** The latest exchanged spellings of tags are stored among the clocks, under a name that no bookmark has. */
const RECORD = 'tags'

/** Stores the spellings of sent or received records. Returns the latest one of each tag in them. */
function keepSpellings(db: WriteConnection, records: SyncRecord[]): Map<string, string> {
  const latest = new Map<string, string>()
  for (const { kind, fields } of records) {
    if (kind !== 'bookmark' && kind !== 'tag') continue
    for (const [field, [name, clock]] of Object.entries(fields)) {
      if (!field.startsWith('#') || typeof name !== 'string') continue
      const spelling = `${clock} ${name}`
      if (spelling > (latest.get(field) ?? '')) latest.set(field, spelling)
    }
  }
  for (const [field, spelling] of latest) {
    const known = readValue<string>(db)`SELECT clock FROM sync_clocks WHERE record = ${RECORD} AND field = ${field}`
    if (known === undefined || spelling > known) setClock(db, RECORD, field, spelling)
    else latest.set(field, known)
  }
  return latest
}

export function noteSent(db: WriteConnection, records: SyncRecord[]): void {
  keepSpellings(db, records)
}

/**
 * Returns the latest spellings, for a snapshot, because the bookmark of a spelling may have lost the tag since. Spellings
 * without a clock are those of bookmarks in the snapshot.
 */
export function spellingRecords(db: WriteConnection): SyncRecord[] {
  const rows = readTuples<[string, string]>(db)`
    SELECT field, clock FROM sync_clocks WHERE record = ${RECORD} AND (clock NOT LIKE ' %' OR NOT EXISTS (
      SELECT 1 FROM tags JOIN bookmark_tags ON tag_id = tags.id WHERE folded = substr(field, 2)))`
  if (rows.length === 0) return []
  const fields = rows.map(([field, spelling]): [string, SyncField] => {
    const space = spelling.indexOf(' ')
    return [field, [spelling.slice(space + 1), spelling.slice(0, space)]]
  })
  return [{ kind: 'tag', id: RECORD, fields: Object.fromEntries(fields) }]
}

/** Applies the spellings in records of another device, unless this device has a later change that is not sent yet. */
export function spellTags(db: WriteConnection, records: SyncRecord[]): void {
  for (const [field, spelling] of keepSpellings(db, records)) {
    const name = spelling.slice(spelling.indexOf(' ') + 1)
    const tag = findOrMakeTag(db, name)
    const own = readValue<string>(db)`SELECT name FROM tags WHERE id = ${tag}`
    if (own !== name && spelling > (ownSpelling(db, tag, field) ?? '')) {
      run(db)`UPDATE tags SET name = ${name} WHERE id = ${tag}`
    }
  }
}

/** Returns this device's spelling of a tag, with the clock of its latest unsent change; `undefined` if no bookmark has it. */
function ownSpelling(db: WriteConnection, tag: number, field: string): string | undefined {
  if (!exists(db)`SELECT 1 FROM bookmark_tags WHERE tag_id = ${tag}`) return undefined
  const row = readRow<{ name: string; clock: string }>(db)`
    SELECT t.name, ifnull(max(c.clock), '') AS clock
    FROM tags t JOIN bookmark_tags bt ON bt.tag_id = t.id JOIN bookmarks b ON b.id = bt.bookmark_id
      JOIN sync_clocks c ON c.record = b.public_id AND c.field = ${field}
      JOIN sync_unsent u ON u.kind = 'bookmark' AND u.record = b.public_id AND u.field IN ('*', ${field})
    WHERE t.id = ${tag}`
  const name = readValue<string>(db)`SELECT name FROM tags WHERE id = ${tag}` ?? ''
  return `${row?.clock ?? ''} ${name}`
}
