import { createHash } from 'node:crypto'
import { access, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { folderOf, type ReadConnection } from '../../database/connection.ts'
import { exists } from '../../database/sql.ts'
import { replaceFile } from '../../integrations/files.ts'
import { readTextLayout } from './pages.ts'

/**
 * The pictures of texts are kept beside the library, in a folder for each bookmark. They can be had again from their
 * pages, so none of it is backed up, and a missing one is no fault.
 */
const FOLDER = 'text-pictures'

/** Keeps a picture of a text. Does nothing where there is no such bookmark, or no room: it can be fetched again. */
export async function keepTextPicture(db: ReadConnection, id: string, url: string, picture: Uint8Array): Promise<void> {
  if (isThere(db, id)) await replaceFile(fileOf(db, id, url), picture, 0o600).catch(() => {})
}

/** Whether each of these pictures of a bookmark's text is kept. */
export async function areTextPicturesKept(db: ReadConnection, id: string, urls: string[]): Promise<boolean[]> {
  if (!isThere(db, id)) return urls.map(() => false)
  const isKept = (url: string) =>
    access(fileOf(db, id, url)).then(
      () => true,
      () => false
    )
  return Promise.all(urls.map(isKept))
}

/** `undefined` where it is not kept. */
export async function readTextPicture(db: ReadConnection, id: string, url: string): Promise<Uint8Array | undefined> {
  return isThere(db, id) ? readFile(fileOf(db, id, url)).catch(() => undefined) : undefined
}

/** Removes the pictures that no text has any more, and the oldest where all take more than so many bytes. */
export async function pruneTextPictures(db: ReadConnection, mostBytes: number): Promise<void> {
  const folder = join(folderOf(db), FOLDER)
  const files: { file: string; size: number; mtimeMs: number }[] = []
  for (const id of await readdir(folder).catch(() => [])) {
    if (!isThere(db, id)) await rm(join(folder, id), { recursive: true, force: true })
    const used = new Set((readTextLayout(db, id)?.pictures ?? []).map(({ url }) => fileOf(db, id, url)))
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
