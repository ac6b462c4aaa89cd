import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import {
  BOOKMARK_TYPES,
  HIGHLIGHT_LIMITS,
  MAX_PICTURE_BYTES,
  PICTURE_TOO_LARGE,
  VISIBILITIES
} from '../contract/bookmark.ts'
import { ReadingPlace } from '../contract/bookmark-change.ts'
import { Highlight } from '../contract/highlight.ts'
import type { ImportedItem, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { TextFormat } from '../contract/library-export.ts'
import { PictureType } from '../contract/picture.ts'
import { Problem } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'
import { splitLines } from './fields.ts'

/** Maximum number of a picture's bytes in one line, so that no line takes long to write or to read. */
const PART_BYTES = 786_432

/** Maximum length of a line, in UTF-16 code units. The rest of a longer line is ignored. No record is that long. */
const MAX_LINE_LENGTH = 4_194_304

/** A part of a picture, in a line of its own. Parts are counted from 1, and `data` is in base64. */
export const PicturePart = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  type: PictureType,
  part: z.int().min(1),
  parts: z.int().min(1),
  data: z.string()
})
export type PicturePart = z.infer<typeof PicturePart>

/** The newest version of the format. Older versions can always be read. */
const VERSION = 1

const Time = z.iso.datetime({ precision: 3 }).transform((text) => Date.parse(text))

const StoredHighlight = Highlight.extend({ createdAt: Time })

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
    deletedAt: Time.nullable(),
    highlights: z.array(StoredHighlight).max(HIGHLIGHT_LIMITS.highlights).exactOptional(),
    place: ReadingPlace.exactOptional()
  })
})
const Picture = z.object({ picture: PicturePart })
const End = z.object({ end: z.object({ sha256: z.string() }) })

/**
 * Earmark's own format. The first line names the format. A line follows for each organization and each bookmark, and
 * one or more for each picture without an address. The closing line has the counts and the SHA-256 of all lines before
 * it. They are last, because the library is still being read while the file is written. docs/export.md describes the
 * format.
 */
export const earmarkJsonl: ImportFormat = {
  id: 'earmark',
  name: 'Earmark',
  recognises: (head) => /^\s*\{\s*"format"\s*:\s*"earmark"/.test(head),
  *read(text) {
    const reader = createEarmarkReader()
    yield* reader.write(text)
    yield* reader.end()
  }
}

/** Reads Earmark's own format piece by piece, so that a library of any size can be imported. */
export function createEarmarkReader() {
  const hash = createHash('sha256')
  const pictures = pictureParts()
  let closed = false
  let partialLine = ''
  let line = 1

  function read(text: string): ImportedItem[] {
    if (text.trim() === '') return []
    if (closed) return [fault(line, 'after the closing line')]
    const value = parsed(text)
    const end = End.safeParse(value)
    if (end.success) {
      closed = true
      const remaining = pictures.end(line)
      return hash.digest('hex') === end.data.end.sha256 ? remaining : [...remaining, fault(line, CHANGED)]
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

  return {
    /** Returns the items of the lines that are complete. */
    write(text: string): ImportedItem[] {
      const items: ImportedItem[] = []
      for (const piece of splitLines(text)) {
        if (partialLine.length < MAX_LINE_LENGTH) partialLine += piece
        if (!piece.endsWith('\n')) break
        items.push(...read(partialLine.replace(/\r?\n$/, '')))
        partialLine = ''
        line += 1
      }
      return items
    },
    end(): ImportedItem[] {
      const items = partialLine === '' ? [] : read(partialLine)
      return closed ? items : [...items, fault(line, CUT_OFF)]
    }
  }
}

const CHANGED = 'the file was changed or damaged since it was exported; what could be read was taken as it is'
const CUT_OFF = 'the closing line is missing: the file is cut off'

/** @throws Problem `invalid` if a newer Earmark wrote the file */
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

/** Times are written as texts. */
function shownHighlight({ createdAt, ...highlight }: Highlight) {
  return { ...highlight, createdAt: isoTime(createdAt) }
}

interface PartialPicture {
  hash: string
  parts: number
  read: number
  pieces: Uint8Array[]
  size: number
  /** The hash of the pieces so far. It is updated with each part, because hashing a whole picture takes long. */
  sum: Hash
  /** Why the picture is lost. The rest of its parts is skipped. */
  fault: string | undefined
}

/** Joins the parts of pictures, which are in consecutive lines. Only one picture is in memory at a time. */
export function pictureParts() {
  let current: PartialPicture | undefined

  /** Called before any other line. Returns a fault if a picture lacks parts. */
  function end(line: number): ImportedItem[] {
    const faults = current === undefined ? [] : [fault(line, current.fault ?? INCOMPLETE)]
    current = undefined
    return faults
  }

  return {
    end,
    /** Returns the picture that a part completes, or a fault. */
    add(part: PicturePart, line: number): ImportedItem[] {
      const faults = current?.hash === part.hash ? [] : end(line)
      const picture = current ?? startPicture(part)
      current = picture
      addPart(picture, part)
      if (part.part < picture.parts) return faults
      current = undefined
      return [...faults, finishPicture(picture, line)]
    }
  }
}

function startPicture({ hash, parts }: PicturePart): PartialPicture {
  return { hash, parts, read: 0, pieces: [], size: 0, sum: createHash('sha256'), fault: undefined }
}

function addPart(picture: PartialPicture, { part, parts, data }: PicturePart): void {
  const bytes = Buffer.from(data, 'base64')
  picture.read += 1
  picture.size += bytes.length
  picture.sum.update(bytes)
  if (part !== picture.read || parts !== picture.parts) picture.fault ??= INCOMPLETE
  if (picture.size > MAX_PICTURE_BYTES) picture.fault ??= PICTURE_TOO_LARGE
  if (picture.fault === undefined) picture.pieces.push(bytes)
  else picture.pieces = []
}

function finishPicture({ hash, pieces, sum, fault: reason }: PartialPicture, line: number): ImportedItem {
  if (reason !== undefined) return fault(line, reason)
  if (sum.digest('hex') !== hash) return fault(line, DAMAGED)
  return { line, hash, bytes: new Uint8Array(Buffer.concat(pieces)) }
}

const INCOMPLETE = 'a picture lacks some of its parts'
const DAMAGED = 'a picture was changed or damaged since it was exported'

/** Writes Earmark's own format, with every field. */
export const writeJsonl: TextFormat = {
  id: 'jsonl',
  contentType: 'application/jsonl',
  writer(time) {
    const hash = createHash('sha256')
    const counts = { organizations: 0, pictures: 0, bookmarks: 0 }

    function line(value: object): string {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      return text
    }

    return {
      begin: () => line({ format: 'earmark', version: VERSION, createdAt: isoTime(time) }),
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
      bookmark(
        { domain: _, icon: _icon, preview: _preview, savedBy: _savedBy, createdAt, updatedAt, deletedAt, ...bookmark },
        { highlights, place }
      ) {
        counts.bookmarks += 1
        const times = {
          createdAt: isoTime(createdAt),
          updatedAt: isoTime(updatedAt),
          deletedAt: deletedAt === null ? null : isoTime(deletedAt)
        }
        const reading = {
          // A bookmark without highlights or without a reading place does not have that field.
          highlights: highlights.length > 0 ? highlights.map(shownHighlight) : undefined,
          place: place ?? undefined
        }
        return line({ bookmark: { ...bookmark, ...times, ...reading } })
      },
      end: () => line({ end: { counts, sha256: hash.copy().digest('hex') } })
    }
  }
}
