import type { FieldValue, SyncField, SyncRecord } from '../../contract/sync.ts'
import type { ReadConnection } from '../connection.ts'
import { readRow, readRows, readTuples, readValue } from '../statements.ts'

export type Fields = SyncRecord['fields']

interface BookmarkRow {
  rowId: number
  type: string
  url: string | null
  title: string
  description: string
  content: string
  createdAt: number
  updatedAt: number
  deletedAt: number | null
  visibility: string
  organization: string | null
  name: string | null
  picture: string | null
}

/**
 * Returns all fields of a bookmark, with the tags it lost; of one that was deleted permanently only its life; `undefined`
 * where it was never here. Bookmarks with a picture of the owner's do not travel.
 */
export function bookmarkFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<BookmarkRow>(db)`
    SELECT b.id AS rowId, b.type, b.url, b.title, b.description, b.content, b.created_at AS createdAt,
      b.updated_at AS updatedAt, b.deleted_at AS deletedAt, b.visibility, o.public_id AS organization, o.name, b.picture
    FROM bookmarks b LEFT JOIN organizations o ON o.id = b.organization_id WHERE b.public_id = ${id}`
  const clocks = clocksOf(db, id)
  if (!row) {
    const purged = clocks.get('life')
    return purged === undefined ? undefined : { life: ['purged', purged] }
  }
  if (row.picture !== null) return undefined
  const at = (name: string) => clocks.get(name) ?? ''
  const fields: Fields = {}
  for (const name of ['type', 'url', 'title', 'description', 'content', 'createdAt', 'updatedAt'] as const) {
    fields[name] = [row[name], at(name)]
  }
  fields.life = [row.deletedAt, at('life')]
  fields.place = [[row.visibility, row.organization, row.name], at('place')]
  for (const name of clocks.keys()) if (name.startsWith('#')) fields[name] = [null, at(name)]
  for (const [folded, name] of tagsOf(db, row.rowId)) fields[`#${folded}`] = [name, at(`#${folded}`)]
  return fields
}

/** Returns all fields of an organization; `undefined` where it was never here. */
export function organizationFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<{ name: string; createdAt: number; life: number | null }>(db)`
    SELECT name, created_at AS createdAt, deleted_at AS life FROM organizations WHERE public_id = ${id}`
  return row && withClocks(row, clocksOf(db, id))
}

/** Returns all fields of a saved search; of one that was deleted only that; `undefined` where it was never here. */
export function searchFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<{ name: string; address: string }>(db)`
    SELECT name, address FROM saved_searches WHERE public_id = ${id}`
  return orGone(row && { ...row, gone: null }, 'gone', clocksOf(db, id))
}

/** The same of a rule. */
export function ruleFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<RuleRow>(db)`
    SELECT r.query, r.tags, r.visibility, o.public_id AS organization, o.name, r.deleted_at AS deleted
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id WHERE r.public_id = ${id}`
  const values = row && {
    query: row.query,
    tags: JSON.parse(row.tags) as string[],
    place: [row.visibility, row.organization, row.name],
    deleted: row.deleted
  }
  return orGone(values, 'deleted', clocksOf(db, id))
}

interface RuleRow {
  query: string
  tags: string
  visibility: string | null
  organization: string | null
  name: string | null
  deleted: number | null
}

function orGone(values: Values | undefined, end: string, clocks: Map<string, string>): Fields | undefined {
  const gone = clocks.get(end)
  return values ? withClocks(values, clocks) : gone === undefined ? undefined : { [end]: [1, gone] }
}

type Values = Record<string, FieldValue>

function withClocks(values: object, clocks: Map<string, string>): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, SyncField] => [name, [value, clocks.get(name) ?? '']])
  )
}

/** Returns the id under which a record goes on that may have been united with another. */
export function rootOf(db: ReadConnection, id: string): string {
  return readValue<string>(db)`SELECT stays FROM sync_aliases WHERE record = ${id}` ?? id
}

function clocksOf(db: ReadConnection, id: string): Map<string, string> {
  return new Map(readTuples<[string, string]>(db)`SELECT field, clock FROM sync_clocks WHERE record = ${id}`)
}

function tagsOf(db: ReadConnection, rowId: number): [string, string][] {
  return readRows<{ folded: string; name: string }>(db)`
    SELECT t.folded, t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
    WHERE bt.bookmark_id = ${rowId}`.map(({ folded, name }) => [folded, name])
}
