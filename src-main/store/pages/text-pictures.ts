import { createHash } from 'node:crypto'
import { access, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SimilarColor } from '../../contract/picture.ts'
import { picturesIn } from '../../core/page-text.ts'
import { folderOf, type ReadConnection } from '../../database/connection.ts'
import { exists, readRows } from '../../database/sql.ts'
import { replaceFile } from '../../integrations/files.ts'
import { bookmarksAt } from '../bookmarks/bookmark-reads.ts'
import { readPageText } from './pages.ts'

/**
 * The pictures of texts are next to the library, in a folder for each bookmark. They can be fetched from their pages
 * again, so they are not backed up, and a missing one is no fault.
 */
const FOLDER = 'text-pictures'

/**
 * Saves a picture of a text. Does nothing if there is no such bookmark or no room, because the picture can be fetched
 * again.
 */
export async function keepTextPicture(db: ReadConnection, id: string, url: string, picture: Uint8Array): Promise<void> {
  if (isThere(db, id)) await replaceFile(fileOf(db, id, url), picture, 0o600).catch(() => {})
}

/** Returns for each of these pictures of a text whether it is stored. */
export async function areTextPicturesKept(db: ReadConnection, id: string, urls: string[]): Promise<boolean[]> {
  if (!isThere(db, id)) return urls.map(() => false)
  const isKept = (url: string) =>
    access(fileOf(db, id, url)).then(
      () => true,
      () => false
    )
  return Promise.all(urls.map(isKept))
}

/** Returns `undefined` if it is not stored. */
export async function readTextPicture(db: ReadConnection, id: string, url: string): Promise<Uint8Array | undefined> {
  return isThere(db, id) ? readFile(fileOf(db, id, url)).catch(() => undefined) : undefined
}

/**
 * Removes the pictures that no text has any more, and the oldest ones if all together are larger than a limit in
 * bytes.
 */
export async function pruneTextPictures(db: ReadConnection, mostBytes: number): Promise<void> {
  const folder = join(folderOf(db), FOLDER)
  const files: { file: string; size: number; mtimeMs: number }[] = []
  for (const id of await readdir(folder).catch(() => [])) {
    if (!isThere(db, id)) await rm(join(folder, id), { recursive: true, force: true })
    const used = new Set(picturesIn(readPageText(db, id)).map((url) => fileOf(db, id, url)))
    for (const name of await readdir(join(folder, id)).catch(() => [])) {
      const file = join(folder, id, name)
      if (!used.has(file)) {
        await rm(file, { force: true })
        continue
      }
      const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }))
      files.push({ file, size, mtimeMs })
    }
  }
  let left = mostBytes
  for (const { file, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    left -= size
    if (left < 0) await rm(file, { force: true })
  }
}

function isThere(db: ReadConnection, id: string): boolean {
  return exists(db)`SELECT 1 FROM bookmarks WHERE public_id = ${id}`
}

function fileOf(db: ReadConnection, id: string, url: string): string {
  return join(folderOf(db), FOLDER, id, `${createHash('sha256').update(url).digest('hex').slice(0, 40)}.webp`)
}

/** Maximum distance between similar colors. Most people give different names to colors that are further apart. */
const MAX_APART = 0.15

/** A row id, and the distance of its color from the requested color. */
interface Near {
  id: number
  apart: number
}

/** Returns images of which a large part is similar to a color, nearest first. An index finds the candidates. */
export async function similarImages(db: ReadConnection, color: string, limit: number): Promise<SimilarColor[]> {
  const { cssToOklab } = await colorMath()
  const place = cssToOklab(color)
  if (!place) return []
  const { l, a, b } = place
  const near = readRows<Near>(db)`
    SELECT c.bookmark_id AS id,
      min((c.l - ${l}) * (c.l - ${l}) + (c.a - ${a}) * (c.a - ${a}) + (c.b - ${b}) * (c.b - ${b})) AS apart
    FROM picture_colors c INDEXED BY picture_colors_by_color JOIN bookmarks b ON b.id = c.bookmark_id
    WHERE c.l BETWEEN ${l} - ${MAX_APART} AND ${l} + ${MAX_APART} AND c.a BETWEEN ${a} - ${MAX_APART}
      AND ${a} + ${MAX_APART}
      AND c.b BETWEEN ${b} - ${MAX_APART} AND ${b} + ${MAX_APART} AND b.deleted_at IS NULL AND b.type = 'image'
    GROUP BY c.bookmark_id HAVING apart <= ${MAX_APART} * ${MAX_APART}
      ORDER BY apart, c.bookmark_id DESC LIMIT ${limit}`
  return near.flatMap(({ id, apart }) => withBookmark(db, { id, apart: Math.sqrt(apart) }))
}

/** Returns similar colors, nearest first. All are compared, because people save few of them. */
export async function similarColors(db: ReadConnection, color: string, limit: number): Promise<SimilarColor[]> {
  const { distance, cssToOklab } = await colorMath()
  const place = cssToOklab(color)
  if (!place) return []
  const colors = readRows<{ id: number; content: string }>(db)`
    SELECT id, content FROM bookmarks INDEXED BY bookmarks_by_content
    WHERE page_key IS NULL AND type = 'color' AND deleted_at IS NULL`
  const near = colors.flatMap(({ id, content }): Near[] => {
    const other = cssToOklab(content)
    const apart = other ? distance(place, other) : Number.POSITIVE_INFINITY
    return apart <= MAX_APART ? [{ id, apart }] : []
  })
  near.sort((one, other) => one.apart - other.apart || other.id - one.id)
  return near.slice(0, limit).flatMap((one) => withBookmark(db, one))
}

function withBookmark(db: ReadConnection, { id, apart }: Near): SimilarColor[] {
  return bookmarksAt(db, [id]).map((bookmark) => ({ distance: apart, bookmark }))
}

/** Loaded only when needed, because loading it slows down the start of a thread. */
const colorMath = () => import('../../core/color.ts')
