import { randomBytes } from 'node:crypto'
import type { SyncSegment } from '../../../src-main/contract/sync.ts'
import { readRows } from '../../../src-main/store/statements.ts'
import { emptyLibrary, type TestLibrary } from '../library.ts'

/** A library that is one device's, and the segments it wrote. */
export interface Device extends TestLibrary {
  device: string
  wrote: SyncSegment[]
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
  return { ...library, device, wrote: [] }
}

/** Writes all that a device has to send. */
export function send(one: Device): void {
  for (let next = one.nextSegment(); next; next = one.nextSegment()) {
    one.wrote.push(structuredClone(next))
    one.segmentSent(next.number)
  }
}

/** Lets a device read what others wrote and it has not read, up to some segments of each. */
export function receive(one: Device, others: Device[], most = Infinity): void {
  for (const other of others) {
    if (other === one) continue
    const upTo = one.readSync()?.devices.find(({ device }) => device === other.device)?.upTo ?? 0
    for (const segment of other.wrote.slice(upTo, upTo + most)) {
      one.mergeRecords(segment.records, 5000)
      one.segmentRead(segment, 5000)
    }
  }
}

/** Sends and receives until nothing is left to send. */
export function exchange(devices: Device[]): void {
  for (let round = 0; round < 20; round += 1) {
    for (const one of devices) send(one)
    const before = devices.map(({ wrote }) => wrote.length).join()
    for (const one of devices) receive(one, devices)
    for (const one of devices) send(one)
    if (devices.map(({ wrote }) => wrote.length).join() === before) return
  }
  throw new Error('The devices never stop writing.')
}

/** All that travels of a library, in an order of its own. */
export function contents({ db }: Pick<TestLibrary, 'db'>) {
  return {
    bookmarks: readRows<{ id: string; deletedAt: number | null; tags: string }>(db)`
      SELECT b.public_id AS id, b.type, b.url, b.title, b.description, b.content, b.created_at AS createdAt,
        b.updated_at AS updatedAt, b.deleted_at AS deletedAt, b.visibility, o.public_id AS organization,
        (SELECT json_group_array(folded) FROM (SELECT t.folded FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
          WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags
      FROM bookmarks b LEFT JOIN organizations o ON o.id = b.organization_id ORDER BY b.public_id`,
    organizations: readRows(db)`
      SELECT public_id AS id, name, created_at AS createdAt FROM organizations WHERE deleted_at IS NULL ORDER BY 1`
  }
}
