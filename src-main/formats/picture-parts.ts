import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import type { ImportedItem } from '../contract/import-format.ts'
import { PictureType } from '../contract/picture.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../contract/picture-limit.ts'

/** Bytes of a picture that stand in one line, so that no line takes long to write or to read. */
export const PART_BYTES = 786_432

/** A part of a picture in a line of Earmark's own format; parts are counted from 1, and `data` is in base64. */
export const PicturePart = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  type: PictureType,
  part: z.int().min(1),
  parts: z.int().min(1),
  data: z.string()
})
export type PicturePart = z.infer<typeof PicturePart>

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
  if (picture.size > MOST_PICTURE_BYTES) picture.fault ??= PICTURE_TOO_LARGE
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
