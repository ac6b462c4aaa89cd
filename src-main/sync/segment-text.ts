import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { BOOKMARK_TYPES, LIMITS } from '../contract/bookmark.ts'
import { ReadingPlace } from '../contract/bookmark-change.ts'
import { Highlight } from '../contract/highlight.ts'
import { RuleRequest, SavedSearchRequest } from '../contract/rule.ts'
import type { SyncPart, SyncRecord, SyncSegment } from '../contract/sync.ts'
import { TagText } from '../contract/tag.ts'
import { addressOf } from '../core/address.ts'
import { foldName } from '../core/clean-text.ts'
import { isClock } from '../core/sync.ts'

const Clock = z.string().refine((text) => text === '' || isClock(text))
const Id = z.string().regex(/^[\w-]{1,64}$/)
/** A bookmark may be older than 1970. */
const Time = z.int().min(-8.64e15).max(8.64e15)
const Life = z.union([z.null(), Time, z.literal('purged')])
const Place = z.union([
  z.tuple([z.enum(['private', 'public']), z.null(), z.null()]),
  z.tuple([z.literal('organization'), Id, z.string().min(1).max(200)])
])
const Url = z
  .string()
  .max(LIMITS.url)
  .refine((url) => 'url' in addressOf(url))
  .nullable()

const at = <Value extends z.ZodType>(value: Value) => z.tuple([value, Clock]).exactOptional()

const Bookmark = z
  .object({
    type: at(z.enum(BOOKMARK_TYPES)),
    url: at(Url),
    title: at(z.string().max(LIMITS.title)),
    description: at(z.string().max(LIMITS.description)),
    content: at(z.string().max(LIMITS.content)),
    picture: at(z.string().regex(/^[0-9a-f]{64}$/)),
    createdAt: at(Time),
    updatedAt: at(Time),
    place: at(Place),
    life: at(Life),
    read: at(z.tuple([ReadingPlace.shape.block, ReadingPlace.shape.share]).nullable())
  })
  .catchall(z.tuple([z.string().max(LIMITS.content).nullable(), Clock]))
  .refine(({ picture, type, url }) => !picture || (type?.[0] === 'image' && url?.[0] == null))
  .refine((fields) =>
    Object.entries(fields).every(([name, field]) => {
      const value: unknown = field?.[0]
      return value === null || typeof value !== 'string' || isEntry(name, value)
    })
  )

/** Whether a text is the value of a field for each tag, or for each highlight; all other fields are checked above. */
function isEntry(name: string, value: string): boolean {
  if (name.startsWith('#')) return TagText.min(1).safeParse(value).success && `#${foldName(value)}` === name
  if (!name.startsWith('^')) return true
  return Highlight.safeParse({ ...Object(jsonOf(value)), id: name.slice(1) }).success
}

const Tag = z
  .record(z.string(), z.tuple([z.string().min(1).max(LIMITS.tag), Clock]))
  .refine((fields) => Object.entries(fields).every(([field, [name]]) => `#${foldName(name)}` === field))
const Organization = z.object({ name: at(z.string().min(1).max(200)), createdAt: at(Time), life: at(Life) })

const Gone = z.union([z.null(), Time])
const Search = z.object({
  name: at(SavedSearchRequest.shape.name),
  address: at(SavedSearchRequest.shape.address),
  gone: at(Gone)
})
const Rule = z.object({
  query: at(RuleRequest.shape.query),
  tags: at(z.array(TagText.min(1)).max(LIMITS.tags)),
  place: at(z.union([z.tuple([z.null(), z.null(), z.null()]), Place])),
  copy: at(z.literal([0, 1])),
  deleted: at(Gone)
})

const Name = z.string().max(100)
const Segment = z.object({ name: Name, records: z.array(z.unknown()) })
const Covered = z.object({ device: z.string().regex(/^[0-9a-f]{32}$/), name: Name, upTo: z.int().min(0) })
const Part = Segment.extend({ from: z.int(), upTo: z.int(), covers: z.array(Covered) })

const Records = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('bookmark'), id: Id, fields: Bookmark }),
    z.object({ kind: z.literal('organization'), id: Id, fields: Organization }),
    z.object({ kind: z.literal('search'), id: Id, fields: Search }),
    z.object({ kind: z.literal('rule'), id: Id, fields: Rule }),
    z.object({ kind: z.literal('tag'), id: Id, fields: Tag }),
    z.object({ kind: z.literal('alias'), id: Id, fields: z.object({ stays: z.tuple([Id, Clock]) }) })
  ])
)

/** Records that are checked in one turn of the event loop. */
const AT_ONCE = 50

export function writeSegment({ name, records }: SyncSegment): string {
  return JSON.stringify({ name, records })
}

export function writePart({ name, from, upTo, records, covers }: SyncPart): string {
  return JSON.stringify({ name, from, upTo, records, covers })
}

/** Reads the text of another device; `undefined` if this version would not write it so. */
export async function readSegment(text: string): Promise<Pick<SyncSegment, 'name' | 'records'> | undefined> {
  return checked(Segment.safeParse(jsonOf(text)).data)
}

/** The same of a part of a snapshot. */
export async function readPart(
  text: string
): Promise<Pick<SyncPart, 'name' | 'from' | 'upTo' | 'records' | 'covers'> | undefined> {
  return checked(Part.safeParse(jsonOf(text)).data)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function checked<File extends { records: unknown[] }>(
  file: File | undefined
): Promise<(File & { records: SyncRecord[] }) | undefined> {
  if (!file) return undefined
  const records: SyncRecord[] = []
  for (let start = 0; start < file.records.length; start += AT_ONCE) {
    const batch = Records.safeParse(file.records.slice(start, start + AT_ONCE))
    if (!batch.success) return undefined
    records.push(...(batch.data as SyncRecord[]))
    await setImmediate()
  }
  return { ...file, records }
}
