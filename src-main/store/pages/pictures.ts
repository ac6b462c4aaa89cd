import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DominantColor, NewPicture, OriginalPicture, PictureColors, PictureFacts } from '../../contract/picture.ts'
import { Problem } from '../../contract/problem.ts'
import { folderOf, type ReadConnection, type WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { PREVIEW } from '../bookmarks/bookmark-reads.ts'
import type { Written } from '../calls.ts'
import { pruneTextPictures } from './text-pictures.ts'

/**
 * Pictures. Originals are in the library itself, because they have no address to fetch them from again. All other
 * pictures are files in a folder next to the library.
 */

/** Stores an original for bookmarks that are saved afterwards. `forgetOriginals` removes it if no bookmark has it. */
export function keepOriginal(db: WriteConnection, picture: NewPicture, at: number): Written<void> {
  run(
    db,
    `INSERT INTO pictures (hash, type, width, height, kept_at, size, preview, bytes)
     VALUES (@hash, @type, @width, @height, @at, @size, @preview, @bytes)
     ON CONFLICT (hash) DO UPDATE SET kept_at = excluded.kept_at
       WHERE NOT EXISTS (SELECT 1 FROM bookmarks WHERE picture = excluded.hash)`,
    { ...picture, size: picture.bytes.length, at }
  )
  return { answer: undefined, events: [] }
}

/** Removes originals from before a time that no bookmark has. */
export function forgetOriginals(db: WriteConnection, before: number): Written<void> {
  run(db)`
    DELETE FROM pictures WHERE kept_at < ${before} AND NOT EXISTS (SELECT 1 FROM bookmarks b
      WHERE b.picture = pictures.hash)`
  return { answer: undefined, events: [] }
}

/** An image whose colors are to be computed, and the name of its preview. */
interface UncoloredPicture {
  id: string
  preview: string
}

/** Saves the colors of an image and its width divided by its height, if it still has this picture. */
export function saveColors(
  db: WriteConnection,
  { id, preview }: UncoloredPicture,
  { colors, ratio }: PictureColors
): Written<void> {
  const rowId = readValue<number>(
    db,
    `SELECT b.id FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
     WHERE b.public_id = ? AND ${PREVIEW} = ?`,
    id,
    preview
  )
  if (rowId !== undefined) {
    replaceColors(db, rowId, colors)
    run(db)`UPDATE page_details SET preview_ratio = ${ratio} WHERE bookmark_id = ${rowId}`
  }
  return { answer: undefined, events: [{ kind: 'details' }] }
}

function replaceColors(db: WriteConnection, rowId: number, colors: DominantColor[]): void {
  run(db)`DELETE FROM picture_colors WHERE bookmark_id = ${rowId}`
  for (const { l, a, b, share } of colors) {
    run(db)`
      INSERT OR IGNORE INTO picture_colors (bookmark_id, l, a, b, share)
        VALUES (${rowId}, ${l}, ${a}, ${b}, ${share})`
  }
  run(db)`DELETE FROM colors_due WHERE bookmark_id = ${rowId}`
}

export function hasOriginal(db: ReadConnection, hash: string): boolean {
  return exists(db)`SELECT 1 FROM pictures WHERE hash = ${hash}`
}

/** Returns the hashes of the originals of all bookmarks. */
export function listOriginals(db: ReadConnection): string[] {
  return readValues<string>(db)`SELECT DISTINCT picture FROM bookmarks WHERE picture IS NOT NULL`
}

/** Returns an original with all its bytes, which may be several MB. */
export function readOriginal(db: ReadConnection, hash: string): OriginalPicture | undefined {
  return readRow<OriginalPicture>(db)`SELECT hash, type, width, height, bytes FROM pictures WHERE hash = ${hash}`
}

/** Returns the stored data of a bookmark's picture; `undefined` if there is no such bookmark. */
export function findPicture(db: ReadConnection, id: string): PictureFacts | undefined {
  const row = readRow<NonNullable<PictureFacts['original']> & { rowId: number }>(db)`
    SELECT b.id AS rowId, p.type, p.width, p.height, p.size
    FROM bookmarks b LEFT JOIN pictures p ON p.hash = b.picture WHERE b.public_id = ${id}`
  if (!row) return undefined
  const { rowId, ...original } = row
  const colors = readRows<DominantColor>(db)`
    SELECT l, a, b, share FROM picture_colors WHERE bookmark_id = ${rowId} ORDER BY share DESC, l`
  return { original: original.type === null ? null : original, colors }
}

/** Returns an image whose colors were not computed yet. */
export function uncoloredPicture(db: ReadConnection): UncoloredPicture | undefined {
  return readRow(
    db,
    `SELECT b.public_id AS id, ${PREVIEW} AS preview FROM colors_due u JOIN bookmarks b ON b.id = u.bookmark_id
     LEFT JOIN page_details d ON d.bookmark_id = b.id WHERE ${PREVIEW} IS NOT NULL LIMIT 1`
  )
}

/** Writes a picture to the folder next to the library and returns its name. */
export function keepPicture(db: ReadConnection, picture: Uint8Array): Promise<string> {
  return keepInFolder(folderOf(db), picture)
}

/** Returns a small picture by its name: the preview of an original, or a file next to the library. */
export async function readPicture(db: ReadConnection, name: string): Promise<Uint8Array | undefined> {
  const [, hash] = COPY_NAME.exec(name) ?? []
  const copy =
    hash === undefined ? undefined : readValue<Uint8Array>(db)`SELECT preview FROM pictures WHERE hash = ${hash}`
  return copy ?? readFromFolder(folderOf(db), name)
}

const COPY_NAME = /^([0-9a-f]{64})\.webp$/

/**
 * Removes pictures that no bookmark has any more, and the oldest ones if all together are larger than a limit in
 * bytes.
 */
export async function prunePictures(db: ReadConnection, mostBytes: number): Promise<void> {
  await pruneFolder(folderOf(db), () => picturesInUse(db), mostBytes)
  await pruneTextPictures(db, mostBytes)
}

/** Returns the names of the pictures that pages use. */
export function picturesInUse(db: Pick<ReadConnection, 'prepare'>): Set<string> {
  const names = readValues<string>(db)`
    SELECT icon FROM page_details WHERE icon IS NOT NULL
    UNION SELECT preview FROM page_details WHERE preview IS NOT NULL`
  return new Set(names)
}

/**
 * The folder of pictures next to the library. A picture's name is its hash. Pictures can be fetched from their pages
 * again, so they are not backed up, and a missing one is no fault.
 */
const FOLDER = 'pictures'

const NAME = /^[0-9a-f]{40}\.webp$/

/** How long a picture without a bookmark stays, in ms, because the bookmark may still be saved. */
const GRACE_MS = 600_000

/** Writes a picture to the folder and returns its name. */
export async function keepInFolder(data: string, picture: Uint8Array): Promise<string> {
  const folder = join(data, FOLDER)
  const name = `${createHash('sha256').update(picture).digest('hex').slice(0, 40)}.webp`
  const file = join(folder, name)
  // An existing file with this name has the same content. Its new time keeps it until its bookmark is saved.
  const known = await utimes(file, new Date(), new Date()).then(
    () => true,
    () => false
  )
  if (known) return name
  // Two writes of the same picture may run at once, so each has its own draft. `pruneFolder` removes leftover drafts.
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(draft, picture, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new Problem('disk-full', 'The disk is full.')
    throw error
  }
  return name
}

/** Returns a picture by its name; `undefined` if there is none. */
export async function readFromFolder(data: string, name: string): Promise<Uint8Array | undefined> {
  if (!NAME.test(name)) return undefined
  return readFile(join(data, FOLDER, name)).catch(() => undefined)
}

/**
 * Removes the pictures that are no longer used, and the oldest ones if all together are larger than `mostBytes`.
 *
 * @param inUse returns the names that bookmarks have; called after the folder was read
 */
export async function pruneFolder(data: string, inUse: () => Set<string>, mostBytes: number): Promise<void> {
  const folder = join(data, FOLDER)
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { name, size, mtimeMs }
    })
  )
  const used = inUse()
  let left = mostBytes
  for (const { name, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const wanted = used.has(name) || Date.now() - mtimeMs < GRACE_MS
    left -= wanted ? size : 0
    if (!wanted || left < 0) await rm(join(folder, name), { force: true })
  }
}
