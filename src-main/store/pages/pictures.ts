import type { DominantColor, KeptPicture, NewPicture, PictureFacts, UncoloredPicture } from '../../contract/picture.ts'
import { PREVIEW } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'
import { pictureFolder } from './picture-folder.ts'

/** Pictures: some in the library itself, the others in a folder beside it. */
export const pictures = family({
  here(db, folder) {
    const { readPreview, ...reads } = pictureReads(db)
    const { keep, read, prune } = pictureFolder(folder)
    return {
      ...reads,
      keepPicture: keep,
      readPicture: async (name: string) => readPreview(name) ?? read(name),
      prunePictures: (mostBytes: number) => prune(() => picturesInUse(db), mostBytes)
    }
  },
  slow: originalReads,
  // Megabytes, however few the bookmarks.
  neverHere: ['readOriginal'],
  writes: pictureWrites,
  emits: { keepOriginal: noEvents, forgetOriginals: noEvents, saveColors: () => [{ kind: 'details' }] }
})

/** Keeps pictures in the library itself; for use inside a transaction, before the bookmarks that have them. */
export function pictureInserts(db: WriteConnection) {
  const insert = db.prepare(
    `INSERT INTO pictures (hash, type, width, height, kept_at, size, preview, bytes)
     VALUES (@hash, @type, @width, @height, @at, @size, @preview, @bytes)
     ON CONFLICT (hash) DO UPDATE SET kept_at = excluded.kept_at
       WHERE NOT EXISTS (SELECT 1 FROM bookmarks WHERE picture = excluded.hash)`
  )
  return {
    keep(picture: NewPicture, at: number): void {
      insert.run({ ...picture, size: picture.bytes.length, at })
    }
  }
}

/** What the writing thread can do with pictures and their colors. */
function pictureWrites(db: WriteConnection) {
  const { keep } = pictureInserts(db)
  const forget = db.prepare(
    'DELETE FROM pictures WHERE kept_at < ? AND NOT EXISTS (SELECT 1 FROM bookmarks b WHERE b.picture = pictures.hash)'
  )
  const find = db.prepare<[string, string], number>(`SELECT b.id ${PREVIEWED} AND ${PREVIEW} = ?`).pluck()
  const clear = db.prepare('DELETE FROM picture_colors WHERE bookmark_id = ?')
  const add = db.prepare('INSERT OR IGNORE INTO picture_colors (bookmark_id, l, a, b, share) VALUES (?, ?, ?, ?, ?)')
  const done = db.prepare('DELETE FROM colors_due WHERE bookmark_id = ?')
  return {
    keepOriginal(picture: NewPicture, at: number): void {
      keep(picture, at)
    },
    forgetOriginals(before: number): void {
      forget.run(before)
    },
    saveColors: db.transaction(({ id, preview }: UncoloredPicture, colors: DominantColor[]): void => {
      const rowId = find.get(id, preview)
      if (rowId === undefined) return
      clear.run(rowId)
      for (const { l, a, b, share } of colors) add.run(rowId, l, a, b, share)
      done.run(rowId)
    })
  }
}

/** What can be asked about pictures at once. */
function pictureReads(db: ReadConnection) {
  const has = db.prepare('SELECT 1 FROM pictures WHERE hash = ?').pluck()
  const preview = db.prepare('SELECT preview FROM pictures WHERE hash = ?').pluck()
  const find = db.prepare(
    `SELECT b.id AS rowId, p.type, p.width, p.height, p.size
     FROM bookmarks b LEFT JOIN pictures p ON p.hash = b.picture WHERE b.public_id = ?`
  )
  const colors = db.prepare('SELECT l, a, b, share FROM picture_colors WHERE bookmark_id = ? ORDER BY share DESC, l')
  const due = db.prepare(
    `SELECT b.public_id AS id, ${PREVIEW} AS preview FROM colors_due u JOIN bookmarks b ON b.id = u.bookmark_id
     LEFT JOIN page_details d ON d.bookmark_id = b.id WHERE ${PREVIEW} IS NOT NULL LIMIT 1`
  )
  return {
    hasOriginal: (hash: string) => has.get(hash) === 1,
    /** The small copy of a picture that is kept itself, by its name. */
    readPreview(name: string): Uint8Array | undefined {
      const [, hash] = NAME.exec(name) ?? []
      return hash === undefined ? undefined : (preview.get(hash) as Uint8Array | undefined)
    },
    findPicture(id: string): PictureFacts | undefined {
      const row = find.get(id) as (NonNullable<PictureFacts['original']> & { rowId: number }) | undefined
      if (!row) return undefined
      const { rowId, ...original } = row
      return {
        original: original.type === null ? null : original,
        colors: colors.all(rowId) as DominantColor[]
      }
    },
    uncoloredPicture: () => due.get() as UncoloredPicture | undefined
  }
}

/** The names of what lies in the folder of pictures and is some page's. */
export function picturesInUse(db: ReadConnection): Set<string> {
  const names = db.prepare<[], string>(
    'SELECT icon FROM page_details WHERE icon IS NOT NULL UNION SELECT preview FROM page_details WHERE preview IS NOT NULL'
  )
  return new Set(names.pluck().all())
}

/** Reads pictures whole, which takes long. */
function originalReads(db: ReadConnection) {
  const read = db.prepare('SELECT hash, type, width, height, bytes FROM pictures WHERE hash = ?')
  return { readOriginal: (hash: string) => read.get(hash) as KeptPicture | undefined }
}

const PREVIEWED = 'FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id WHERE b.public_id = ?'

const NAME = /^([0-9a-f]{64})\.webp$/
