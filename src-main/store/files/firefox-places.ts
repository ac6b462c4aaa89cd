import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'

/** How Firefox numbers what a node is, in its database as in its backups. */
const [BOOKMARK, FOLDER] = [1, 2]

/** The folder that holds each tag as a folder. */
const TAGS = 'tags________'

interface Row {
  id: number
  type: number
  parent: number
  place: number | null
  guid: string
  title: string | null
  dateAdded: number | null
  uri: string | null
}

interface Node {
  typeCode: number
  root?: string
  title: string
  dateAdded?: number
  uri?: string
  tags?: string
  children?: Node[]
}

/**
 * The bookmarks of a Firefox profile's `places.sqlite`, as the backup that Firefox itself would write of them. Firefox
 * keeps the file locked while it runs, so a copy is read, with the log beside it.
 *
 * @throws Problem `invalid` when it is another database, or cannot be read just now
 */
export function firefoxPlaces(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-places-'))
  try {
    const copy = join(folder, 'places.sqlite')
    for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`)
    const db = new Sqlite(copy)
    try {
      return JSON.stringify(treeOf(db.prepare<[], Row>(ALL).all()))
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error
    throw new Problem('invalid', 'This database contains no Firefox bookmarks, or Firefox is writing to it. Try again.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ALL = `
  SELECT b.id, b.type, b.parent, b.fk AS place, b.guid, b.title, b.dateAdded, p.url AS uri
  FROM moz_bookmarks b LEFT JOIN moz_places p ON p.id = b.fk ORDER BY b.parent, b.position`

function treeOf(rows: Row[]): Node {
  const tagFolders = tagNames(rows)
  const tags = new Map<number | null, string[]>()
  for (const { parent, place } of rows) {
    const tag = tagFolders.get(parent)
    if (tag !== undefined) tags.set(place, [...(tags.get(place) ?? []), tag])
  }
  const root: Node = { typeCode: FOLDER, root: 'placesRoot', title: '', children: [] }
  const folders = new Map<number, Node>()
  const nodes = rows
    .filter(({ id, parent, guid }) => guid !== TAGS && !tagFolders.has(id) && !tagFolders.has(parent))
    .map((row) => ({ row, node: nodeOf(row, tags) }))
  for (const { row, node } of nodes) if (row.type === FOLDER) folders.set(row.id, row.parent === 0 ? root : node)
  for (const { row, node } of nodes) if (row.parent !== 0) folders.get(row.parent)?.children?.push(node)
  return root
}

function nodeOf({ type, place, title, dateAdded, uri }: Row, tags: Map<number | null, string[]>): Node {
  return {
    typeCode: type,
    title: title ?? '',
    dateAdded: dateAdded ?? undefined,
    children: type === FOLDER ? [] : undefined,
    uri: type === BOOKMARK ? (uri ?? '') : undefined,
    tags: type === BOOKMARK ? (tags.get(place) ?? []).join(',') : undefined
  }
}

function tagNames(rows: Row[]): Map<number, string> {
  const all = rows.find(({ guid }) => guid === TAGS)?.id
  return new Map(rows.filter(({ parent }) => parent === all).map(({ id, title }) => [id, title ?? '']))
}
