import { z } from 'zod'
import type { WorkProgress } from './long-work.ts'
import type { SyncPlace } from './sync-place.ts'

/**
 * Several machines with the same bookmarks. Each is a device; it writes what it changed into segments, files in a folder
 * that another program copies between the machines, and reads the segments of the others.
 */

/** A field's value: text, number, nothing, or a list of them. */
export type FieldValue = string | number | null | (string | number | null)[]

/**
 * A value, and the time of its last change. The clock is empty for a value that is as old as its record: any change of it
 * counts as later.
 */
export type SyncField = [value: FieldValue, clock: string]

/**
 * Some or all fields of a record.
 *
 * - `bookmark`: `type`, `url`, `title`, `description`, `content`, `createdAt`, `updatedAt`; `picture`, the hash of one that
 *   is kept itself; `place`, a list of visibility, organization's id and name; `life`, which is null while it lives, the
 *   time at which it went to the trash, or `purged`; and `#folded` for each tag, its name, or null where it was taken away.
 * - `organization`: `name`, `createdAt`, `life`.
 * - `search`, a saved one: `name`, `address`; `gone`, which is null while it is there.
 * - `rule`: `query`, `tags`; `place`, a list of visibility, organization's id and name, or nulls; `deleted`, as `gone`.
 * - `tag`, of which each device sends one in a snapshot: `#folded` for each tag, its name.
 * - `alias`: `stays`, the id of the bookmark or organization that this one was united with.
 */
export interface SyncRecord {
  kind: 'bookmark' | 'organization' | 'alias' | 'search' | 'rule' | 'tag'
  id: string
  fields: Record<string, SyncField>
}

/** One file of changes of a device. A device numbers its segments from 1; a number that is left out is that of a snapshot. */
export interface SyncSegment {
  device: string
  number: number
  /** The name of the device. */
  name: string
  records: SyncRecord[]
}

/** A segment of another device, with the SHA-256 of its text, in hexadecimal digits. */
interface ReadSegment extends SyncSegment {
  digest: string
}

/**
 * One of the files that hold all bookmarks of a device, as they were after one of its segments: whoever reads a snapshot
 * needs no earlier segment of the device.
 */
export interface SyncPart {
  device: string
  name: string
  /** The segment after which the snapshot was taken; 0 is before the first. */
  after: number
  /** Numbered from 1. */
  part: number
  isLast: boolean
  /** Its bookmarks follow this row id, which is the `upTo` of the part before it. */
  from: number
  /** The last row id that is in it. */
  upTo: number
  records: SyncRecord[]
  /** Other devices, as far as they are in the snapshot too. */
  covers: Pick<SyncDevice, 'device' | 'name' | 'upTo'>[]
}

/** The next part of a snapshot that is being written. */
export interface NextPart extends SyncPart {
  /** The last row id that will be in the snapshot. */
  total: number
}

/** Another device, as far as this one has read what it wrote. */
export interface SyncDevice {
  device: string
  name: string
  /** The last segment that was read whole. */
  upTo: number
  /** That of this segment; `null` if it was read in a snapshot. */
  digest?: string | null
  /** When that was. */
  seenAt: number
}

/** How far a library is with its synchronization. */
export interface SyncState {
  device: string
  /** The name of this device. */
  name: string
  folder: string
  /** The name under which the code is kept. */
  account: string
  paused: boolean
  /** The last segment that this device began to write. */
  segment: number
  /** The last segment that is written whole. */
  sent: number
  /** The latest time of a change that this device knows, in milliseconds since 1970. */
  latestChange: number
  /** The last snapshot that was written whole. */
  snapshot: { after: number; at: number } | undefined
  /** Other devices, as far as they are in the last snapshot. */
  covers: SyncPart['covers']
  devices: SyncDevice[]
}

/** Result of one round of sending and receiving. */
export interface SyncReport {
  sent: number
  received: number
  /** Why something waits, as sentences. */
  waiting: string[]
  /** Whether files were missing, or were another's, so that this device sent all of its bookmarks again. */
  resent?: boolean
}

/** How far a snapshot is written or read. */
export interface SyncProgress extends WorkProgress {
  work: 'sending' | 'receiving'
}

/** Files of a device whose names are whole. */
export interface SyncListing {
  device: string
  segments: Set<number>
  /** The newest snapshot of which all parts are there. */
  snapshot: { after: number; parts: number } | undefined
  /** Why its folder could not be read, as a sentence. */
  fault?: string | undefined
}

/** Reads and writes the files in a folder. */
export interface SyncFolder {
  list(): Promise<SyncListing[]>
  /** `undefined` where the file is not there, or not yet whole. */
  read(device: string, number: number): Promise<ReadSegment | undefined>
  /** The same of a part of the listed snapshot. */
  readPart(listing: SyncListing, part: number): Promise<SyncPart | undefined>
  /** Whether a segment, or a part of the listed snapshot, is there and whole. */
  isWhole(listing: SyncListing, file: { segment: number } | { part: number }): Promise<boolean>
  /** Writes a segment that is not there yet. False if there is another one of that name, also of a newer format. */
  write(segment: SyncSegment): Promise<boolean>
  /** Writes a part of a snapshot; again, where it was interrupted. */
  writePart(part: SyncPart): Promise<void>
  /** Reads a picture by its hash; `undefined` if the folder does not hold it, or not all of it yet. */
  readPicture(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  writePicture(hash: string, bytes: Uint8Array): Promise<void>
  /** Returns those of some pictures that are not there at all, by their hashes. */
  missingPictures(hashes: string[]): Promise<string[]>
  /** Removes what a device wrote before its snapshot after this segment. */
  removeBefore(device: string, after: number): Promise<void>
}

/** Opens folders for synchronization. */
export interface SyncFolders {
  /** A new code: the key of a folder, for people to copy. */
  newCode(): string
  newDevice(): string
  /** Whether some device wrote to the folder already. */
  isInUse(place: SyncPlace): Promise<boolean>
  /**
   * @throws Problem `invalid` when the code is none or is of another folder, or the server refuses the password;
   *   `not-found` when the folder is not there or has been emptied since
   */
  open(place: SyncPlace, code: string, isNew: boolean): Promise<SyncFolder>
}

/** Numbers of bookmarks, without the trash, that joining a folder would bring together. */
export interface SyncPreview {
  here: number
  there: number
  /** Of these, so many are on both sides. */
  same: number
}

const Name = z.string().trim().min(1).max(100)

/** Body of the request that begins synchronization. Without a code the device is the folder's first. */
export const SyncSetup = z.strictObject({
  folder: z.string().trim().min(1).max(4096),
  /** Of the user of a WebDAV server. */
  password: z.string().max(1000).exactOptional(),
  name: Name,
  code: z.string().max(200).exactOptional()
})
export type SyncSetup = z.infer<typeof SyncSetup>

/** Body of the request that says what joining would do. */
export const SyncJoin = SyncSetup.pick({ folder: true, password: true }).extend({ code: z.string().max(200) })
export type SyncJoin = z.infer<typeof SyncJoin>

export const SyncPause = z.strictObject({ paused: z.boolean() })

/** Body of the request that gives another password for the server. */
export const SyncPassword = z.strictObject({ password: z.string().max(1000) })
