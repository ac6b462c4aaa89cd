import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { BOOKMARK_TYPES, MAX_PICTURE_BYTES, PICTURE_TOO_LARGE, VISIBILITIES } from '../contract/bookmark.ts'
import type { ImportedItem, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { ExportFormat } from '../contract/library-export.ts'
import { PictureType } from '../contract/picture.ts'
import { Problem } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'
import { lineReader } from './lines.ts'

/** Bytes of a picture that stand in one line, so that no line takes long to write or to read. */
const PART_BYTES = 786_432

/** A part of a picture in a line of Earmark's own format; parts are counted from 1, and `data` is in base64. */
export const PicturePart = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  type: PictureType,
  part: z.int().min(1),
  parts: z.int().min(1),
  data: z.string()
})
export type PicturePart = z.infer<typeof PicturePart>

/** The newest form there is. What reads an older one stays. */
const VERSION = 1

const Time = z.iso.datetime({ precision: 3 }).transform((text) => Date.parse(text))

const Manifest = z.object({ format: z.literal('earmark'), version: z.number(), createdAt: Time })
const Organization = z.object({ organization: z.object({ name: z.string().min(1), createdAt: Time }) })
const Bookmark = z.object({
  bookmark: z.object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    type: z.enum(BOOKMARK_TYPES),
    visibility: z.enum(VISIBILITIES),
    organization: z.string().min(1).nullable(),
    url: z.string().nullable(),
    title: z.string(),
    description: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    picture: PicturePart.shape.hash.nullable().default(null),
    createdAt: Time,
    updatedAt: Time,
    deletedAt: Time.nullable()
  })
})
const Picture = z.object({ picture: PicturePart })
const End = z.object({ end: z.object({ sha256: z.string() }) })

/**
 * Earmark's own format: a first line that says so, then a line for each organization and each bookmark, and some for
 * each picture that has no address, then a closing line with how many there were and the SHA-256 of all lines before
 * it. It stands last because a library is written as it is read. docs/export.md describes it.
 */
export const earmarkJsonl: ImportFormat = {
  id: 'earmark',
  name: 'Earmark',
  recognises: (head) => /^\s*\{\s*"format"\s*:\s*"earmark"/.test(head),
  reader() {
    const hash = createHash('sha256')
    const pictures = pictureParts()
    let closed = false

    function read(text: string, line: number): ImportedItem[] {
      if (text.trim() === '') return []
      if (closed) return [fault(line, 'after the closing line')]
      const value = parsed(text)
      const end = End.safeParse(value)
      if (end.success) {
        closed = true
        const left = pictures.end(line)
        return hash.digest('hex') === end.data.end.sha256 ? left : [...left, fault(line, CHANGED)]
      }
      hash.update(`${text}\n`)
      if (line === 1) {
        assertKnown(value)
        return []
      }
      const picture = Picture.safeParse(value)
      if (picture.success) return pictures.add(picture.data.picture, line)
      return [...pictures.end(line), itemOf(value, line)]
    }

    return lineReader(read, (line) => (closed ? [] : [fault(line, CUT_OFF)]))
  }
}

const CHANGED = 'the file was changed or damaged since it was exported; what could be read was taken as it is'
const CUT_OFF = 'the closing line is missing: the file is cut off'

/** @throws Problem `invalid` when a newer Earmark wrote it */
function assertKnown(value: unknown): void {
  const manifest = Manifest.safeParse(value)
  if (manifest.success && manifest.data.version <= VERSION) return
  throw new Problem(
    'invalid',
    'This is not an Earmark export, or a newer version of Earmark wrote it. Update Earmark, and try again.'
  )
}

function itemOf(value: unknown, line: number): ImportedItem {
  const organization = Organization.safeParse(value)
  if (organization.success) {
    const { name, createdAt } = organization.data.organization
    return { line, organization: name, createdAt }
  }
  const bookmark = Bookmark.safeParse(value)
  if (!bookmark.success) return fault(line, 'not a record of Earmark')
  const { id, visibility, organization: owner, updatedAt, deletedAt, picture, url, ...texts } = bookmark.data.bookmark
  if ((visibility === 'organization') !== (owner !== null)) return fault(line, 'visibility and organization disagree')
  return { line, ...texts, url: url ?? '', own: { id, visibility, organization: owner, updatedAt, deletedAt, picture } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fault(line: number, reason: string): ImportedRecord {
  return { line, fault: reason, url: '', title: '', description: '', tags: [] }
}

interface Begun {
  hash: string
  parts: number
  /** Parts that have come. */
  read: number
  pieces: Uint8Array[]
  size: number
  /** Of the pieces so far, so that no part takes long. */
  sum: Hash
  /** Why the picture is lost. The rest of its parts is passed over. */
  fault: string | undefined
}

/** Puts pictures together of their parts, which follow one another. One picture is held at a time. */
export function pictureParts() {
  let begun: Begun | undefined

  /** Something else comes: says so where a picture lacks parts. */
  function end(line: number): ImportedItem[] {
    const left = begun === undefined ? [] : [lost(line, begun.fault ?? INCOMPLETE)]
    begun = undefined
    return left
  }

  return {
    end,
    /** Gives the picture that a part completes, or why there is none. */
    add(part: PicturePart, line: number): ImportedItem[] {
      const left = begun?.hash === part.hash ? [] : end(line)
      const picture = begun ?? beginning(part)
      begun = picture
      take(picture, part)
      if (part.part < picture.parts) return left
      begun = undefined
      return [...left, finished(picture, line)]
    }
  }
}

function beginning({ hash, parts }: PicturePart): Begun {
  return { hash, parts, read: 0, pieces: [], size: 0, sum: createHash('sha256'), fault: undefined }
}

function take(picture: Begun, { part, parts, data }: PicturePart): void {
  const bytes = Buffer.from(data, 'base64')
  picture.read += 1
  picture.size += bytes.length
  picture.sum.update(bytes)
  if (part !== picture.read || parts !== picture.parts) picture.fault ??= INCOMPLETE
  if (picture.size > MAX_PICTURE_BYTES) picture.fault ??= PICTURE_TOO_LARGE
  if (picture.fault === undefined) picture.pieces.push(bytes)
  else picture.pieces = []
}

function finished({ hash, pieces, sum, fault }: Begun, line: number): ImportedItem {
  if (fault !== undefined) return lost(line, fault)
  if (sum.digest('hex') !== hash) return lost(line, DAMAGED)
  return { line, hash, bytes: new Uint8Array(Buffer.concat(pieces)) }
}

const INCOMPLETE = 'a picture lacks some of its parts'
const DAMAGED = 'a picture was changed or damaged since it was exported'

function lost(line: number, reason: string): ImportedItem {
  return { line, fault: reason, url: '', title: '', description: '', tags: [] }
}

/** Writes what `earmark-jsonl.ts` reads, with every field. */
export const writeJsonl: ExportFormat = {
  id: 'jsonl',
  contentType: 'application/jsonl',
  writer(at) {
    const hash = createHash('sha256')
    const counts = { organizations: 0, pictures: 0, bookmarks: 0 }

    function line(value: object): string {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      return text
    }

    return {
      begin: () => line({ format: 'earmark', version: 1, createdAt: isoTime(at) }),
      organization({ id, name, createdAt }) {
        counts.organizations += 1
        return line({ organization: { id, name, createdAt: isoTime(createdAt) } })
      },
      *picture({ hash, type, bytes }) {
        counts.pictures += 1
        const parts = Math.ceil(bytes.length / PART_BYTES)
        for (let part = 1; part <= parts; part++) {
          const piece = bytes.subarray((part - 1) * PART_BYTES, part * PART_BYTES)
          yield line({ picture: { hash, type, part, parts, data: Buffer.from(piece).toString('base64') } })
        }
      },
      bookmark({
        domain: _,
        icon: _icon,
        preview: _preview,
        savedBy: _savedBy,
        createdAt,
        updatedAt,
        deletedAt,
        ...bookmark
      }) {
        counts.bookmarks += 1
        const times = {
          createdAt: isoTime(createdAt),
          updatedAt: isoTime(updatedAt),
          deletedAt: deletedAt === null ? null : isoTime(deletedAt)
        }
        return line({ bookmark: { ...bookmark, ...times } })
      },
      end: () => line({ end: { counts, sha256: hash.copy().digest('hex') } })
    }
  }
}
