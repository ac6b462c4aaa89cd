import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Highlight } from '../../contract/highlight.ts'
import type { FieldValue, SyncField, SyncRecord } from '../../contract/sync.ts'
import { joinFields } from '../../core/sync.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readTuples, readValue, readValues, run } from '../../database/sql.ts'
import { highlightsOf, jsonOfHighlight, placeOf } from '../pages/text-rows.ts'

export type Fields = SyncRecord['fields']

interface BookmarkRow {
  rowId: number
  id: string
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

const SELECT_BOOKMARKS = `
  SELECT b.id AS rowId, b.public_id AS id, b.type, b.url, b.title, b.description, b.content, b.created_at AS createdAt,
    b.updated_at AS updatedAt, b.deleted_at AS deletedAt, b.visibility, o.public_id AS organization, o.name, b.picture
  FROM bookmarks b LEFT JOIN organizations o ON o.id = b.organization_id`

/**
 * Returns all fields of a bookmark, with its removed tags. For a permanently deleted one, returns only `life`; `undefined`
 * if it never existed here.
 */
export function bookmarkFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<BookmarkRow>(db, `${SELECT_BOOKMARKS} WHERE b.public_id = ?`, id)
  const clocks = clocksOf(db, id)
  if (!row) {
    const purged = clocks.get('life')
    return purged === undefined ? undefined : { life: ['purged', purged] }
  }
  const { rowId } = row
  return fieldsOfRow(row, clocks, {
    tags: tagsOf(db, rowId),
    highlights: highlightsOf(db, rowId),
    place: placeOf(db, rowId)
  })
}

/** Returns all fields of the bookmarks after one row id and up to another, in order of row ids. */
export function bookmarksAfter(
  db: ReadConnection,
  after: number,
  upTo: number,
  limit: number
): { rowId: number; id: string; fields: Fields }[] {
  const where = 'WHERE b.id > ? AND b.id <= ? ORDER BY b.id LIMIT ?'
  const rows = readRows<BookmarkRow>(db, `${SELECT_BOOKMARKS} ${where}`, after, upTo, limit)
  const last = rows.at(-1)?.rowId ?? after
  const clocks = groupBy(
    readTuples<[string, string, string]>(db)`
      SELECT b.public_id, c.field, c.clock FROM bookmarks b JOIN sync_clocks c ON c.record = b.public_id
      WHERE b.id > ${after} AND b.id <= ${last}`
  )
  const tags = groupBy(
    readTuples<[number, string, string]>(db)`
      SELECT bt.bookmark_id, t.folded, t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
      WHERE bt.bookmark_id > ${after} AND bt.bookmark_id <= ${last}`
  )
  const read = new Set(
    readValues<number>(db)`
      SELECT bookmark_id FROM highlights WHERE bookmark_id > ${after} AND bookmark_id <= ${last}
      UNION SELECT bookmark_id FROM reading_places WHERE bookmark_id > ${after} AND bookmark_id <= ${last}`
  )
  return rows.map((row) => {
    const { rowId, id } = row
    const highlights = read.has(rowId) ? highlightsOf(db, rowId) : []
    const place = read.has(rowId) ? placeOf(db, rowId) : null
    const more = { tags: tags.get(rowId) ?? [], highlights, place }
    return { rowId, id, fields: fieldsOfRow(row, new Map(clocks.get(id)), more) }
  })
}

interface RowsOfBookmark {
  tags: [folded: string, name: string][]
  highlights: Highlight[]
  place: ReadingPlace | null
}

function fieldsOfRow(
  row: BookmarkRow,
  clocks: Map<string, string>,
  { tags, highlights, place }: RowsOfBookmark
): Fields {
  const at = (name: string) => clocks.get(name) ?? ''
  const fields: Fields = {}
  for (const name of ['type', 'url', 'title', 'description', 'content', 'createdAt', 'updatedAt'] as const) {
    fields[name] = [row[name], at(name)]
  }
  if (row.picture !== null) fields.picture = [row.picture, '']
  fields.life = [row.deletedAt, at('life')]
  fields.place = [[row.visibility, row.organization, row.name], at('place')]
  if (place !== null || clocks.has('read')) fields.read = [place && [place.block, place.share], at('read')]
  for (const name of clocks.keys()) if (/^[#^]/.test(name)) fields[name] = [null, at(name)]
  for (const [folded, name] of tags) fields[`#${folded}`] = [name, at(`#${folded}`)]
  for (const one of highlights) fields[`^${one.id}`] = [jsonOfHighlight(one), at(`^${one.id}`)]
  return fields
}

/** Groups triples by their first element. */
function groupBy<Key>(triples: [Key, string, string][]): Map<Key, [string, string][]> {
  const groups = new Map<Key, [string, string][]>()
  for (const [key, ...pair] of triples) {
    const group = groups.get(key)
    if (group) group.push(pair)
    else groups.set(key, [pair])
  }
  return groups
}

/** Returns all fields of an organization; `undefined` if it never existed here. */
export function organizationFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<{ name: string; createdAt: number; life: number | null }>(db)`
    SELECT name, created_at AS createdAt, deleted_at AS life FROM organizations WHERE public_id = ${id}`
  return row && withClocks(row, clocksOf(db, id))
}

/** Returns all fields of a saved search, or the mark of a deleted one; `undefined` if it never existed here. */
export function searchFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<{ name: string; address: string }>(db)`
    SELECT name, address FROM saved_searches WHERE public_id = ${id}`
  return orGone(row && { ...row, gone: null }, 'gone', clocksOf(db, id))
}

/** Returns all fields of a rule, or the mark of a deleted one; `undefined` if it never existed here. */
export function ruleFields(db: ReadConnection, id: string): Fields | undefined {
  const row = readRow<RuleRow>(db)`
    SELECT r.query, r.tags, r.visibility, o.public_id AS organization, o.name, r.copies, r.deleted_at AS deleted
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id WHERE r.public_id = ${id}`
  const values = row && {
    query: row.query,
    tags: JSON.parse(row.tags) as string[],
    place: [row.visibility, row.organization, row.name],
    copy: row.copies,
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
  copies: number
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

/** Returns the present id of a record, which may have been merged with another. */
export function rootOf(db: ReadConnection, id: string): string {
  return readValue<string>(db)`SELECT stays FROM sync_aliases WHERE record = ${id}` ?? id
}

function clocksOf(db: ReadConnection, id: string): Map<string, string> {
  return new Map(readTuples<[string, string]>(db)`SELECT field, clock FROM sync_clocks WHERE record = ${id}`)
}

function tagsOf(db: ReadConnection, rowId: number): [string, string][] {
  return readTuples<[string, string]>(db)`
    SELECT t.folded, t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = ${rowId}`
}

/** Stores fields of a record that has not arrived yet. */
export function keepEarly(db: WriteConnection, kind: SyncRecord['kind'], id: string, fields: Fields): void {
  run(db)`INSERT INTO sync_early (kind, record, fields) VALUES (${kind}, ${id}, ${JSON.stringify(fields)})`
}

/** Joins fields with stored earlier ones, and deletes those. */
export function withEarly(db: WriteConnection, id: string, incoming: Fields): Fields {
  const early = takeEarly(db, id)
  return early ? joinFields(early, incoming) : incoming
}

export function takeEarly(db: WriteConnection, id: string): Fields | undefined {
  const fields = readEarly(db, id)
  if (fields) run(db)`DELETE FROM sync_early WHERE record = ${id}`
  return fields
}

export function readEarly(db: ReadConnection, id: string): Fields | undefined {
  const fields = readValue<string>(db)`SELECT fields FROM sync_early WHERE record = ${id}`
  return fields === undefined ? undefined : JSON.parse(fields)
}
