import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'

/** Firefox's numbers for the type of a node, in its database and its backups. */
const [BOOKMARK, FOLDER] = [1, 2]

/** GUID of the folder that contains a folder for each tag. */
const TAGS = 'tags________'

/** Limits far above those of real Firefox databases, because anybody may have made the file. `MAX_BYTES` is 1 GiB. */
const MAX_BYTES = 2 ** 30
const MAX_ROWS = 500_000
const MAX_DEPTH = 500

interface Row {
  id: number
  type: number
  parent: number
  place: number
  position: number
  guid: string
  title: string
  dateAdded: number
}

/** A node of the backup. */
interface Node {
  typeCode: number
  root?: string
  title: string
  dateAdded?: number | undefined
  uri?: string | undefined
  tags?: string | undefined
  children?: Node[] | undefined
}

/**
 * Returns the bookmarks of a Firefox profile's `places.sqlite` as JSON, like Firefox's own bookmark backups. Firefox
 * locks the file while it runs, so a copy of the file and its log is read. Only plain tables are read, because reading
 * a view may never end. Reading a damaged file may never end either, so this runs in a process that can be killed.
 *
 * @param folder the folder for the copy, which is deleted afterwards
 * @throws Problem `invalid` if the file is another database, exceeds a limit, or cannot be read at the moment
 */
export function firefoxPlaces(file: string, folder = mkdtempSync(join(tmpdir(), 'earmark-places-'))): string {
  try {
    const copy = join(folder, 'places.sqlite')
    for (const end of ['', '-wal']) {
      if (!existsSync(`${file}${end}`)) continue
      if (statSync(`${file}${end}`).size > MAX_BYTES) throw notFirefox('It is larger than 1 GB.')
      copyFileSync(`${file}${end}`, `${copy}${end}`)
    }
    const db = new Sqlite(copy)
    try {
      db.pragma('trusted_schema = OFF')
      for (const table of ['moz_bookmarks', 'moz_places']) assertPlain(db, table)
      return JSON.stringify(treeOf(readRows(db), readAddresses(db)))
    } finally {
      db.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Error && typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
      throw new Problem('invalid', `The database could not be copied (${code}). Close Firefox, and try again.`)
    }
    if (!(error instanceof Sqlite.SqliteError)) throw error
    throw new Problem('invalid', 'This database contains no Firefox bookmarks, or Firefox is writing to it. Try again.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function notFirefox(why: string): Problem {
  return new Problem('invalid', `This is not a database that Firefox wrote. ${why}`)
}

/** Checks that a table's rows are stored, and not computed: by a view, a virtual table or a generated column. */
function assertPlain(db: Sqlite.Database, table: string): void {
  const found = db
    .prepare<[string], { type: string; rootpage: number }>('SELECT type, rootpage FROM sqlite_schema WHERE name = ?')
    .get(table)
  const columns = db.prepare<[string], { hidden: number }>('SELECT hidden FROM pragma_table_xinfo(?)').all(table)
  const isPlain = found === undefined || (found.type === 'table' && found.rootpage > 0)
  if (!isPlain || columns.some(({ hidden }) => hidden !== 0)) throw notFirefox(`Its ${table} is not a plain table.`)
}

/** Returns the rows in order. Reads no index, because an index may contain expressions. */
function readRows(db: Sqlite.Database): Row[] {
  const integer = (name: string, as = name) => `CAST(${name} AS INTEGER) AS ${as}`
  const text = (name: string, length: number) => `ifnull(CAST(substr(${name}, 1, ${length}) AS TEXT), '') AS ${name}`
  const rows = db
    .prepare<[number], Row>(
      `SELECT rowid AS id, ${integer('type')}, ${integer('parent')}, ${integer('fk', 'place')}, ${integer('position')},
        ${text('guid', 32)}, ${text('title', 4096)}, ${integer('dateAdded')} FROM moz_bookmarks NOT INDEXED LIMIT ?`
    )
    .all(MAX_ROWS + 1)
  if (rows.length > MAX_ROWS) throw notFirefox(`It has more than ${MAX_ROWS.toLocaleString('en')} bookmarks.`)
  return rows.sort((a, b) => a.parent - b.parent || a.position - b.position)
}

/** Returns a function that reads the address of a place. */
function readAddresses(db: Sqlite.Database): (place: number) => string {
  const find = db
    .prepare<[number], string>(`SELECT CAST(substr(url, 1, 16384) AS TEXT) FROM moz_places NOT INDEXED WHERE rowid = ?`)
    .pluck()
  return (place) => find.get(place) ?? ''
}

function treeOf(rows: Row[], addressOf: (place: number) => string): Node {
  const tagFolders = tagNames(rows)
  const tags = new Map<number, string[]>()
  const children = new Map<number, Row[]>()
  const nodes: Row[] = []
  for (const row of rows) {
    const tag = tagFolders.get(row.parent)
    if (tag !== undefined) append(tags, row.place, tag)
    else if (row.guid !== TAGS && !tagFolders.has(row.id)) {
      nodes.push(row)
      append(children, row.parent, row)
    }
  }

  const root: Node = { typeCode: FOLDER, root: 'placesRoot', title: '', children: [] }
  const reached = new Set<number>()
  let level: { row: Row; into: Node }[] = nodes.filter(({ parent }) => parent === 0).map((row) => ({ row, into: root }))
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw notFirefox(`Its folders are nested more than ${MAX_DEPTH} deep.`)
    const next: typeof level = []
    for (const { row, into } of level) {
      if (reached.has(row.id)) continue
      reached.add(row.id)
      const isRoot = row.parent === 0 && row.type === FOLDER
      const node = isRoot ? root : nodeOf(row, tags, addressOf)
      if (!isRoot) into.children?.push(node)
      if (row.type === FOLDER) for (const child of children.get(row.id) ?? []) next.push({ row: child, into: node })
    }
    level = next
  }
  // In a damaged database, folders of bookmarks may be missing, or may contain each other.
  const lost = nodes.filter(({ id, type }) => !reached.has(id) && type !== FOLDER)
  for (const row of lost) root.children?.push(nodeOf(row, tags, addressOf))
  return root
}

function nodeOf(
  { type, place, title, dateAdded }: Row,
  tags: Map<number, string[]>,
  addressOf: (place: number) => string
): Node {
  return {
    typeCode: type,
    title,
    dateAdded: dateAdded ?? undefined,
    children: type === FOLDER ? [] : undefined,
    uri: type === BOOKMARK ? addressOf(place) : undefined,
    tags: type === BOOKMARK ? (tags.get(place) ?? []).join(',') : undefined
  }
}

function tagNames(rows: Row[]): Map<number, string> {
  const all = rows.find(({ guid }) => guid === TAGS)?.id
  return new Map(rows.filter(({ parent }) => parent === all).map(({ id, title }) => [id, title]))
}

function append<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
