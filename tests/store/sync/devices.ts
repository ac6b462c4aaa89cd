import { randomBytes } from 'node:crypto'
import type { NewPicture } from '../../../src-main/contract/picture.ts'
import type { SyncPart, SyncRecord, SyncSegment } from '../../../src-main/contract/sync.ts'
import { hasLostFiles, lacksReadFiles, nextFile, readAgainAfter } from '../../../src-main/core/sync/next-file.ts'
import { readRows } from '../../../src-main/store/statements.ts'
import { emptyLibrary, PRIVATE, type TestLibrary } from '../library.ts'

/** A library that is one device's, and the files it wrote. */
export interface Device extends TestLibrary {
  device: string
  wrote: SyncSegment[]
  /** The last snapshot that is whole, and the segments before it that are still there. */
  snapshot: SyncPart[] | undefined
  parts: SyncPart[]
  removed: number
  /** Numbers of segments that somebody deleted. */
  lost: Set<number>
}

export function newDevice(prepare: (library: TestLibrary) => void = () => {}): Device {
  const library = emptyLibrary()
  prepare(library)
  return asDevice(library)
}

/** Lets a library synchronize from now on. */
export function asDevice<Library extends TestLibrary>(library: Library): Library & Device {
  const device = randomBytes(16).toString('hex')
  library.startSync({ device, name: 'a machine', folder: '/sync', account: 'sync' })
  return { ...library, device, wrote: [], snapshot: undefined, parts: [], removed: 0, lost: new Set() }
}

/**
 * Writes all that a device has to send, and a snapshot if files of it were lost.
 *
 * @param segments a snapshot is due after so many
 */
export function send(one: Device, segments = Infinity): void {
  const state = one.readSync()
  one.beginSnapshot(state && hasLostFiles(state, filesOf(one)) ? 0 : segments)
  for (;;) {
    const segment = one.nextSegment()
    const part = segment ? undefined : one.nextPart()
    if (segment) {
      one.wrote.push(structuredClone(segment))
      one.segmentSent(segment.number)
    } else if (part) {
      one.parts.push(structuredClone(part))
      one.partSent(part, 5000)
      if (part.isLast) one.snapshot = one.parts.splice(0)
    } else return
  }
}

function filesOf(one: Device) {
  const numbers = one.wrote.map(({ number }) => number)
  const segments = new Set(numbers.filter((number) => number > one.removed && !one.lost.has(number)))
  const [first] = one.snapshot ?? []
  return { segments, snapshot: first && { after: first.after, parts: one.snapshot?.length ?? 0 } }
}

/** Deletes the last segments of a device, or its snapshot. */
export function lose(one: Device, segments: number): void {
  if (segments === 0) one.snapshot = undefined
  for (const { number } of segments === 0 ? [] : one.wrote.slice(-segments)) one.lost.add(number)
}

/** Removes what a device wrote before its last snapshot. */
export function removeOld(one: Device): void {
  one.removed = one.snapshot?.[0]?.after ?? 0
}

/** Lets a device read what others wrote and it has not read, up to some files of each. */
export function receive(one: Device, others: Device[], most = Infinity): void {
  for (const other of others) {
    if (other === one) continue
    resendOthers(one, other)
    for (let read = 0; read < most; read += 1) {
      const upTo = one.readSync()?.devices.find(({ device }) => device === other.device)?.upTo
      const next = nextFile(upTo, filesOf(other))
      if (next === undefined || next === 'missing') break
      if (next === 'snapshot') readSnapshot(one, other.snapshot ?? [])
      else
        readSegment(
          one,
          other.wrote.find(({ number }) => number === next)
        )
    }
  }
}

/** Sends what a device has read in files of another that were lost. */
function resendOthers(one: Device, other: Device): void {
  const { snapshot, covers = [], devices = [] } = one.readSync() ?? {}
  const known = devices.find(({ device }) => device === other.device)
  if (!snapshot || !known) return
  const anew = readAgainAfter(known.upTo, filesOf(other))
  const covered = covers.find(({ device }) => device === other.device)?.upTo ?? -1
  if (anew !== undefined) one.sendWhatWasRead([{ device: other.device, upTo: anew }])
  else if (lacksReadFiles(known.upTo, covered, filesOf(other))) one.sendWhatWasRead([])
}

function readSegment(one: Device, segment: SyncSegment | undefined): void {
  if (!segment) throw new Error('There is no such segment.')
  givePictures(one, segment.records)
  one.mergeRecords(segment.records, 5000)
  one.segmentRead(segment, 5000)
}

function readSnapshot(one: Device, parts: SyncPart[]): void {
  for (const { records } of parts) {
    givePictures(one, records)
    const rest = one.insertUnknown(records, 5000)
    one.mergeRecords(
      rest.flatMap((index) => records[index] ?? []),
      5000
    )
  }
  if (parts[0]) one.snapshotRead(parts[0], 5000)
}

/** Saves one of some pictures. */
export function savePicture(one: TestLibrary, which: number): void {
  const picture = pictureOf(which)
  const texts = { title: `picture ${which}`, description: '', content: '', tags: [] }
  const page = { url: null, domain: null, pageKey: `picture:${picture.hash}`, picture: picture.hash }
  one.savePicture(PRIVATE, { type: 'image', ...page, ...texts, createdAt: 1000 }, picture)
}

function pictureOf(which: number): NewPicture {
  const bytes = Uint8Array.of(which)
  return { hash: `${which}`.repeat(64), type: 'image/png', width: 1, height: 1, bytes, preview: bytes }
}

/** Keeps the pictures of records before they are merged. */
export function givePictures(one: TestLibrary, records: SyncRecord[]): void {
  for (const { fields } of records) {
    const hash = fields.picture?.[0]
    if (typeof hash === 'string') one.keepOriginal(pictureOf(Number(hash[0])), 5000)
  }
}

/**
 * Sends and receives until nothing is left to send.
 *
 * @param left devices that left, whose files are still there
 */
export function exchange(devices: Device[], left: Device[] = []): void {
  for (let round = 0; round < 20; round += 1) {
    for (const one of devices) send(one)
    const before = devices.map(({ wrote }) => wrote.length).join()
    // What a snapshot covers may let more be read of others.
    for (let times = 0; times < 2; times += 1) for (const one of devices) receive(one, [...devices, ...left])
    for (const one of devices) send(one)
    if (devices.map(({ wrote }) => wrote.length).join() === before) return
  }
  throw new Error('The devices never stop writing.')
}

/** All that travels of a library, in an order of its own. */
export function contents({ db }: Pick<TestLibrary, 'db'>) {
  return {
    bookmarks: readRows<{ id: string; deletedAt: number | null; tags: string }>(db)`
      SELECT b.public_id AS id, b.type, b.url, b.picture, b.title, b.description, b.content, b.created_at AS createdAt,
        b.updated_at AS updatedAt, b.deleted_at AS deletedAt, b.visibility, o.public_id AS organization,
        (SELECT json_group_array(folded) FROM (SELECT t.folded FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
          WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags
      FROM bookmarks b LEFT JOIN organizations o ON o.id = b.organization_id ORDER BY b.public_id`,
    tags: readRows(db)`
      SELECT name FROM tags WHERE EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = id) ORDER BY folded`,
    organizations: readRows(db)`
      SELECT public_id AS id, name, created_at AS createdAt FROM organizations WHERE deleted_at IS NULL ORDER BY 1`
  }
}
