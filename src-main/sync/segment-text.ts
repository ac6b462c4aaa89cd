import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { BOOKMARK_TYPES, LIMITS } from '../contract/bookmark.ts'
import { RuleRequest } from '../contract/rule.ts'
import { SavedSearchRequest } from '../contract/saved-search.ts'
import type { SyncRecord, SyncSegment } from '../contract/sync.ts'
import { addressOf } from '../core/address.ts'
import { foldName } from '../core/fold-name.ts'
import { isClock } from '../core/sync/clock.ts'

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
    createdAt: at(Time),
    updatedAt: at(Time),
    place: at(Place),
    life: at(Life)
  })
  .catchall(z.tuple([z.string().min(1).max(LIMITS.tag).nullable(), Clock]))
  .refine((fields) =>
    Object.entries(fields).every(([name, field]) => {
      const value: unknown = field?.[0]
      return !name.startsWith('#') || value === null || (typeof value === 'string' && `#${foldName(value)}` === name)
    })
  )
const Organization = z.object({ name: at(z.string().min(1).max(200)), createdAt: at(Time), life: at(Life) })

const Gone = z.union([z.null(), Time])
const Search = z.object({
  name: at(SavedSearchRequest.shape.name),
  address: at(SavedSearchRequest.shape.address),
  gone: at(Gone)
})
const Rule = z.object({
  query: at(RuleRequest.shape.query),
  tags: at(z.array(z.string().min(1).max(LIMITS.tag)).max(LIMITS.tags)),
  place: at(z.union([z.tuple([z.null(), z.null(), z.null()]), Place])),
  deleted: at(Gone)
})

const Segment = z.object({ name: z.string().max(100), records: z.array(z.unknown()) })

const Records = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('bookmark'), id: Id, fields: Bookmark }),
    z.object({ kind: z.literal('organization'), id: Id, fields: Organization }),
    z.object({ kind: z.literal('search'), id: Id, fields: Search }),
    z.object({ kind: z.literal('rule'), id: Id, fields: Rule }),
    z.object({ kind: z.literal('alias'), id: Id, fields: z.object({ stays: z.tuple([Id, Clock]) }) })
  ])
)

/** Records that are checked in one turn of the event loop. */
const AT_ONCE = 50

export function writeSegment({ name, records }: SyncSegment): string {
  return JSON.stringify({ name, records })
}

/** Reads what another device wrote; `undefined` where it is not as a device of this version writes. */
export async function readSegment(text: string): Promise<{ name: string; records: SyncRecord[] } | undefined> {
  const read = Segment.safeParse(JSON.parse(text))
  if (!read.success) return undefined
  const { name, records } = read.data
  const checked: SyncRecord[] = []
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const some = Records.safeParse(records.slice(at, at + AT_ONCE))
    if (!some.success) return undefined
    checked.push(...(some.data as SyncRecord[]))
    await setImmediate()
  }
  return { name, records: checked }
}
