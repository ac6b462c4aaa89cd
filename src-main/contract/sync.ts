import { z } from 'zod'
import type { WorkProgress } from './change.ts'

/**
 * Synchronization of several machines. Each is a device: it writes its changes into segments, which are files in a folder
 * that another program copies between the machines, and reads the segments of the others.
 */
export interface SyncPlace {
  /**
   * The full path of a folder, or the http or https address of a folder on a WebDAV server, with the user name in it.
   */
  folder: string
  /** The password of the server’s user. */
  password?: string | undefined
}

export type FieldValue = string | number | null | (string | number | null)[]

/** A value and the clock of its last change; an empty clock is older than any change. */
export type SyncField = [value: FieldValue, clock: string]

/**
 * Some or all fields of a record. `sync/segment-text.ts` has the schema of each kind.
 *
 * - `bookmark`: `picture` is an original’s hash; `place` is a list of visibility, organization’s id and name; `life` is null,
 *   the time at which it was moved to the trash, or `purged`; `#folded` for each tag is its name, or null if removed;
 *   `^id` for each highlight is its JSON, or null if removed; `read` is the position of its reader: block and share, or
 *   null.
 * - `search`: a saved search; `gone` is null while it exists.
 * - `rule`: `deleted` is null while it exists.
 * - `tag`: one record for each device in a snapshot; `#folded` for each tag is its name.
 * - `alias`: `stays` is the id of the bookmark or organization that this one was merged into.
 */
export interface SyncRecord {
  kind: 'bookmark' | 'organization' | 'alias' | 'search' | 'rule' | 'tag'
  id: string
  fields: Record<string, SyncField>
}

export interface SyncSegment {
  device: string
  /** Counted from 1. A snapshot also uses a number, so segments can have gaps. */
  number: number
  name: string
  records: SyncRecord[]
}

/** A segment of another device. */
interface ReadSegment extends SyncSegment {
  /** SHA-256 of its text, in hexadecimal digits. */
  digest: string
}

/**
 * A file of a snapshot, which has all bookmarks of a device as they were after one of its segments. A device that
 * reads the snapshot needs no earlier segments.
 */
export interface SyncPart {
  device: string
  name: string
  /** The last segment that the snapshot includes; 0 if the snapshot was written before the first segment. */
  after: number
  /** Counted from 1. */
  part: number
  isLast: boolean
  /** Its bookmarks have row ids above this number, which is the `upTo` of the previous part. */
  from: number
  /** The largest row id in it. */
  upTo: number
  records: SyncRecord[]
  /** The last segments of other devices that the snapshot includes. */
  covers: Pick<SyncDevice, 'device' | 'name' | 'upTo'>[]
}

/** Another device, and the last of its files that this device has read. */
export interface SyncDevice {
  device: string
  name: string
  /** The last segment that was read. */
  upTo: number
  /** That segment’s digest; `null` if it was read as part of a snapshot. */
  digest?: string | null
  /** When it was read. */
  seenAt: number
}

export interface SyncState {
  device: string
  name: string
  folder: string
  /** The account under which the keychain stores the code. */
  account: string
  paused: boolean
  /** The last segment that this device began to write. */
  segment: number
  /** The last segment that was written completely. */
  sent: number
  /** The latest time of any device’s change, in milliseconds since 1970. */
  latestChange: number
  /** The last snapshot that was written completely. */
  snapshot: { after: number; at: number } | undefined
  /** The last segments of other devices that this snapshot includes. */
  covers: SyncPart['covers']
  devices: SyncDevice[]
}

/** Result of one round of sending and receiving. */
export interface SyncReport {
  sent: number
  received: number
  /** Sentences about the files or records that the round waits for, with the reasons. */
  waiting: string[]
  /** Whether this device sent all its bookmarks again, because its files were missing or not its own. */
  resent?: boolean
}

export interface SyncProgress extends WorkProgress {
  work: 'sending' | 'receiving'
}

export interface SyncListing {
  device: string
  segments: Set<number>
  /** The newest complete snapshot. */
  snapshot: { after: number; parts: number } | undefined
  /** Why its folder could not be read, as a sentence. */
  fault?: string | undefined
}

export interface SyncFolder {
  list(): Promise<SyncListing[]>
  /** Reads a segment; `undefined` if the file is missing or incomplete. */
  read(device: string, number: number): Promise<ReadSegment | undefined>
  /** Reads a part of the listed snapshot; `undefined` if the file is missing or incomplete. */
  readPart(listing: SyncListing, part: number): Promise<SyncPart | undefined>
  isWhole(listing: SyncListing, file: { segment: number } | { part: number }): Promise<boolean>
  /** Writes a new segment. Returns false if another file already has its name, also a file of a newer format. */
  write(segment: SyncSegment): Promise<boolean>
  writePart(part: SyncPart): Promise<void>
  /** Reads a picture by its hash; `undefined` if the file is missing or incomplete. */
  readPicture(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  writePicture(hash: string, bytes: Uint8Array): Promise<void>
  /** Returns the hashes of the pictures that are not in the folder. */
  missingPictures(hashes: string[]): Promise<string[]>
  /** Removes the files of a device up to this segment. A snapshot replaces them. */
  removeBefore(device: string, after: number): Promise<void>
}

export interface SyncFolders {
  /** Makes a folder’s key, as a code that people can copy. */
  newCode(): string
  newDevice(): string
  /** Whether a device has written to the folder. */
  isInUse(place: SyncPlace): Promise<boolean>
  /**
   * @param signal aborts requests to a server
   * @throws Problem `invalid` if the code is malformed or is another folder’s, or the server refuses the password;
   *   `not-found` if the folder does not exist or was emptied
   */
  open(place: SyncPlace, code: string, isNew: boolean, signal?: AbortSignal): Promise<SyncFolder>
}

/** Counts of bookmarks, without the trash, before joining a folder. */
export interface SyncPreview {
  here: number
  there: number
  /** Bookmarks that both sides have. */
  same: number
}

const Name = z.string().trim().min(1).max(100)

/** Begins synchronization. Without a code, this device is the folder’s first device. */
export const SyncSetup = z.strictObject({
  folder: z.string().trim().min(1).max(4096),
  /** The password of the WebDAV server’s user. */
  password: z.string().max(1000).exactOptional(),
  name: Name,
  code: z.string().max(200).exactOptional()
})
export type SyncSetup = z.infer<typeof SyncSetup>

/** Request to count the bookmarks that joining a folder would merge. */
export const SyncJoin = SyncSetup.pick({ folder: true, password: true }).extend({ code: z.string().max(200) })
export type SyncJoin = z.infer<typeof SyncJoin>

export const SyncPause = z.strictObject({ paused: z.boolean() })

export const SyncPassword = z.strictObject({ password: z.string().max(1000) })
