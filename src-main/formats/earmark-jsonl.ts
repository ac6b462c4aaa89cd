import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BOOKMARK_TYPES, VISIBILITIES } from '../contract/bookmark.ts'
import type { ImportedItem, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'
import { lineReader } from './lines.ts'
import { PicturePart, pictureParts } from './picture-parts.ts'

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
