import { randomBytes } from 'node:crypto'
import type { NewPicture } from '../../../src-main/contract/picture.ts'
import type { SyncPart, SyncRecord, SyncSegment } from '../../../src-main/contract/sync.ts'
import { hasLostFiles, lacksReadFiles, nextFile, readAgainAfter } from '../../../src-main/core/sync.ts'
import { readRows } from '../../../src-main/database/sql.ts'
import { emptyLibrary, PRIVATE, type TestLibrary } from '../library.ts'

/** The library of a device, and the files it wrote. */
export interface Device extends TestLibrary {
  device: string
  wrote: SyncSegment[]
  /** The last complete snapshot, and parts of the next one. */
  snapshot: SyncPart[] | undefined
  parts: SyncPart[]
  removed: number
  /** Numbers of deleted segments. */
  lost: Set<number>
}

export function newDevice(prepare: (library: TestLibrary) => void = () => {}): Device {
  const library = emptyLibrary()
  prepare(library)
  return asDevice(library)
}

/** Starts to synchronize a library. */
export function asDevice<Library extends TestLibrary>(library: Library): Library & Device {
  const device = randomBytes(16).toString('hex')
  library.startSync({ device, name: 'a machine', folder: '/sync', account: 'sync' })
  return { ...library, device, wrote: [], snapshot: undefined, parts: [], removed: 0, lost: new Set() }
}

/**
 * Writes everything that a device has to send, and a snapshot if its files were lost.
 *
 * @param segments after this number of segments a snapshot is due
 */
export function send(self: Device, segments = Infinity): void {
  const state = self.readSync()
  self.beginSnapshot(state && hasLostFiles(state, filesOf(self)) ? 0 : segments)
  for (;;) {
    const segment = self.nextSegment()
    const part = segment ? undefined : self.nextPart()
    if (segment) {
      self.wrote.push(structuredClone(segment))
      self.segmentSent(segment.number)
    } else if (part) {
      self.parts.push(structuredClone(part))
      self.partSent(part, 5000)
      if (part.isLast) self.snapshot = self.parts.splice(0)
    } else return
  }
}

function filesOf(self: Device) {
  const numbers = self.wrote.map(({ number }) => number)
  const segments = new Set(numbers.filter((number) => number > self.removed && !self.lost.has(number)))
  const [first] = self.snapshot ?? []
  return { segments, snapshot: first && { after: first.after, parts: self.snapshot?.length ?? 0 } }
}

/** Deletes the last segments of a device, or its snapshot. */
export function lose(self: Device, segments: number): void {
  if (segments === 0) self.snapshot = undefined
  for (const { number } of segments === 0 ? [] : self.wrote.slice(-segments)) self.lost.add(number)
}

/** Removes the files of a device from before its last snapshot. */
export function removeOld(self: Device): void {
  self.removed = self.snapshot?.[0]?.after ?? 0
}

/** Reads new files of other devices, up to a number of files of each. */
export function receive(self: Device, others: Device[], most = Infinity): void {
  for (const other of others) {
    if (other === self) continue
    resendOthers(self, other)
    for (let read = 0; read < most; read += 1) {
      const upTo = self.readSync()?.devices.find(({ device }) => device === other.device)?.upTo
      const next = nextFile(upTo, filesOf(other))
      if (next === undefined || next === 'missing') break
      if (next === 'snapshot') readSnapshot(self, other.snapshot ?? [])
      else
        readSegment(
          self,
          other.wrote.find(({ number }) => number === next)
        )
    }
  }
}

/** Sends again what a device has read in lost files of another. */
function resendOthers(self: Device, other: Device): void {
  const { snapshot, covers = [], devices = [] } = self.readSync() ?? {}
  const known = devices.find(({ device }) => device === other.device)
  if (!snapshot || !known) return
  const anew = readAgainAfter(known.upTo, filesOf(other))
  const covered = covers.find(({ device }) => device === other.device)?.upTo ?? -1
  if (anew !== undefined) self.sendWhatWasRead([{ device: other.device, upTo: anew }])
  else if (lacksReadFiles(known.upTo, covered, filesOf(other))) self.sendWhatWasRead([])
}

function readSegment(self: Device, segment: SyncSegment | undefined): void {
  if (!segment) throw new Error('There is no such segment.')
  givePictures(self, segment.records)
  self.mergeRecords(segment.records, 5000)
  self.segmentRead(segment, 5000)
}

function readSnapshot(self: Device, parts: SyncPart[]): void {
  for (const { records } of parts) {
    givePictures(self, records)
    const rest = self.insertUnknown(records, 5000)
    self.mergeRecords(
      rest.flatMap((index) => records[index] ?? []),
      5000
    )
  }
  if (parts[0]) self.snapshotRead(parts[0], 5000)
}

/** Saves a picture. */
export function savePicture(library: TestLibrary, which: number): void {
  const picture = pictureOf(which)
  const texts = { title: `picture ${which}`, description: '', content: '', tags: [] }
  const page = { url: null, domain: null, pageKey: `picture:${picture.hash}`, picture: picture.hash }
  library.savePicture(PRIVATE, { type: 'image', ...page, ...texts, createdAt: 1000 }, picture)
}

function pictureOf(which: number): NewPicture {
  const bytes = Uint8Array.of(which)
  return { hash: `${which}`.repeat(64), type: 'image/png', width: 1, height: 1, bytes, preview: bytes }
}

/** Saves the pictures of records before the records are merged. */
export function givePictures(library: TestLibrary, records: SyncRecord[]): void {
  for (const { fields } of records) {
    const hash = fields.picture?.[0]
    if (typeof hash === 'string') library.keepOriginal(pictureOf(Number(hash[0])), 5000)
  }
}

/**
 * Exchanges files until no device has anything to send.
 *
 * @param left devices that left, whose files are still there
 */
export function exchange(devices: Device[], left: Device[] = []): void {
  for (let round = 0; round < 20; round += 1) {
    for (const device of devices) send(device)
    const before = devices.map(({ wrote }) => wrote.length).join()
    // A snapshot may contain what a device waits for.
    for (let times = 0; times < 2; times += 1) for (const device of devices) receive(device, [...devices, ...left])
    for (const device of devices) send(device)
    if (devices.map(({ wrote }) => wrote.length).join() === before) return
  }
  throw new Error('The devices never stop writing.')
}

/** Everything that is synchronized of a library, in a fixed order. */
export function contents({ db }: Pick<TestLibrary, 'db'>) {
  return {
    bookmarks: readRows<{ id: string; deletedAt: number | null; tags: string }>(db)`
      SELECT b.public_id AS id, b.type, b.url, b.picture, b.title, b.description, b.content, b.created_at AS createdAt,
        b.updated_at AS updatedAt, b.deleted_at AS deletedAt, b.visibility, o.public_id AS organization,
        (SELECT json_group_array(folded) FROM (SELECT t.folded FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
          WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags,
        (SELECT json_group_array(id || highlight) FROM (SELECT * FROM highlights h
          WHERE h.bookmark_id = b.id ORDER BY id)) AS highlights,
        (SELECT json_array(block, share) FROM reading_places r WHERE r.bookmark_id = b.id) AS place
      FROM bookmarks b LEFT JOIN organizations o ON o.id = b.organization_id ORDER BY b.public_id`,
    tags: readRows(db)`
      SELECT name FROM tags WHERE EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = id) ORDER BY folded`,
    organizations: readRows(db)`
      SELECT public_id AS id, name, created_at AS createdAt FROM organizations WHERE deleted_at IS NULL ORDER BY 1`
  }
}
