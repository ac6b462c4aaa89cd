import type { SyncRecord } from '../../contract/sync.ts'
import { pictureKey } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readValue, readValues, run } from '../../database/sql.ts'
import { addImport, countImported, findImportStep } from '../bookmarks/imports.ts'
import { NewRows } from '../bookmarks/new-rows.ts'
import type { Written } from '../calls.ts'
import { hasOriginal } from '../pages/pictures.ts'
import { stateOf } from './merge-bookmarks.ts'
import { whileMerging } from './merge-records.ts'
import { rootOf } from './records.ts'
import { keepClocks } from './stamping.ts'

/**
 * Inserts bookmarks of which nothing is known here, as quickly as an import does, and returns the indexes of all other
 * records. What it inserts can be taken back as an import.
 */
export function insertUnknown(db: WriteConnection, records: SyncRecord[], at: number): Written<number[]> {
  const rest: number[] = []
  whileMerging(db, records, () => {
    const known = knownIds(db, records)
    const rows = new NewRows(db)
    for (const [index, { kind, id, fields }] of records.entries()) {
      const isNew = kind === 'bookmark' && fields.type && fields.life?.[0] !== 'purged' && !known.has(id)
      // Its picture may have been deleted since. Merging checks that, because SQLite's checks are off here.
      const hasPicture = !fields.picture || hasOriginal(db, String(fields.picture[0]))
      if (!isNew || !hasPicture || !rows.insert(stateOf(db, fields, at), id)) rest.push(index)
      else keepClocks(db, id, {}, fields)
    }
    if (rest.length === records.length) return
    const { id, step } = joinedImport(db, at)
    rows.end(step)
    countImported(db, id, rows.saved.length)
  })
  const events = rest.length === records.length ? [] : (['bookmarks', 'tags', 'organizations'] as const)
  return { answer: rest, events: events.map((kind) => ({ kind })) }
}

/**
 * Lets bookmarks that were merged without their pictures refer to them. SQLite's checks are turned off, which would refuse
 * a reference to a missing row.
 */
export function referToMissing(db: WriteConnection, records: SyncRecord[]): Written<void> {
  for (const { id, fields } of records) {
    const hash = String(fields.picture?.[0])
    const key = pictureKey(hash)
    run(db)`
      UPDATE bookmarks AS b SET picture = ${hash}, page_key = iif(EXISTS (SELECT 1 FROM bookmarks o
        WHERE o.page_key = ${key} AND ifnull(o.organization_id, 0) = ifnull(b.organization_id, 0)), NULL, ${key})
      WHERE public_id = ${rootOf(db, id)} AND type = 'image' AND url IS NULL AND picture IS NULL`
  }
  return { answer: undefined, events: [{ kind: 'bookmarks' }] }
}

/** Returns the ids of which anything is here, or was. */
function knownIds(db: WriteConnection, records: SyncRecord[]): Set<string> {
  const ids = JSON.stringify(records.map(({ id }) => id))
  return new Set(
    readValues<string>(db)`
      SELECT value FROM json_each(${ids}) WHERE EXISTS (SELECT 1 FROM bookmarks WHERE public_id = value)
        OR EXISTS (SELECT 1 FROM sync_aliases WHERE record = value)
        OR EXISTS (SELECT 1 FROM sync_early WHERE record = value)
        OR EXISTS (SELECT 1 FROM sync_clocks WHERE record = value)`
  )
}

/** Returns the import of the bookmarks that other machines had. */
function joinedImport(db: WriteConnection, at: number): ReturnType<typeof addImport> {
  const id = readValue<number | null>(db)`SELECT import_id FROM sync_state` ?? 0
  const step = findImportStep(db, id)
  if (step) return { id, step }
  const added = addImport(db, at, true)
  run(db)`UPDATE sync_state SET import_id = ${added.id}`
  return added
}
