/** Damage to library files, made without SQLite. */
import { readFileSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

export const PAGE_SIZE = 4096

/** The offset of the first page of a table or an index. */
function rootOf(file: string, name: string): number {
  const db = new Sqlite(file, { readonly: true })
  const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number
  db.close()
  return (page - 1) * PAGE_SIZE
}

/** Overwrites bytes of a file. */
export function overwriteBytes(file: string, offset: number, length: number, value = 0xa5): void {
  const bytes = readFileSync(file)
  bytes.fill(value, offset, offset + length)
  writeFileSync(file, bytes)
}

/** Overwrites the first page of a table or an index. */
export function overwritePage(file: string, name: string, value = 0): void {
  overwriteBytes(file, rootOf(file, name), PAGE_SIZE, value)
}

/** Overwrites a page of rows in the middle of a table, or of an index. */
export function overwriteLeaf(file: string, name: string): void {
  const root = rootOf(file, name)
  const bytes = readFileSync(file)
  const cells = bytes.readUInt16BE(root + 3)
  const middle = bytes.readUInt16BE(root + 12 + 2 * Math.floor(cells / 2))
  overwriteBytes(file, (bytes.readUInt32BE(root + middle) - 1) * PAGE_SIZE, PAGE_SIZE, 0)
}

/** Sets a lower number of rows in the first page of a table's rows, and returns how many it hides. */
export function hideRows(file: string, name: string, remaining: number): number {
  const root = rootOf(file, name)
  const bytes = readFileSync(file)
  // The first cell of an inner page begins with the number of its child (sqlite.org/fileformat2.html, section 1.6).
  const isInner = [2, 5].includes(bytes.readUInt8(root))
  const leaf = isInner ? (bytes.readUInt32BE(root + bytes.readUInt16BE(root + 12)) - 1) * PAGE_SIZE : root
  const hidden = bytes.readUInt16BE(leaf + 3) - remaining
  bytes.writeUInt16BE(remaining, leaf + 3)
  writeFileSync(file, bytes)
  return hidden
}
