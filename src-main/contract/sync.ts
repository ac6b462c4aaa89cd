import { z } from 'zod'

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
 * - `bookmark`: `type`, `url`, `title`, `description`, `content`, `createdAt`, `updatedAt`; `place`, a list of visibility,
 *   organization's id and name; `life`, which is null while it lives, the time at which it went to the trash, or
 *   `purged`; and `#folded` for each tag, its name, or null where it was taken away.
 * - `organization`: `name`, `createdAt`, `life`.
 * - `search`, a saved one: `name`, `address`; `gone`, which is null while it is there.
 * - `rule`: `query`, `tags`; `place`, a list of visibility, organization's id and name, or nulls; `deleted`, as `gone`.
 * - `alias`: `stays`, the id of the bookmark or organization that this one was united with.
 */
export interface SyncRecord {
  kind: 'bookmark' | 'organization' | 'alias' | 'search' | 'rule'
  id: string
  fields: Record<string, SyncField>
}

/** One file of changes of a device. A device numbers its segments from 1, without gaps. */
export interface SyncSegment {
  device: string
  number: number
  /** The name of the device. */
  name: string
  records: SyncRecord[]
}

/** Another device, as far as this one has read what it wrote. */
export interface SyncDevice {
  device: string
  name: string
  /** The last segment that was read whole. */
  upTo: number
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
  devices: SyncDevice[]
}

/** Result of one round of sending and receiving. */
export interface SyncReport {
  sent: number
  received: number
  /** Why something waits, as sentences. */
  waiting: string[]
}

/** Reads and writes the segments in a folder. */
export interface SyncFolder {
  /** All segments whose names are whole, in order of device and number. */
  list(): Promise<{ device: string; number: number }[]>
  /** `undefined` where the file is not there, or not yet whole. */
  read(device: string, number: number): Promise<SyncSegment | undefined>
  /** Writes a segment that is not there yet. False where there is another one of that name. */
  write(segment: SyncSegment): Promise<boolean>
}

/** Opens folders for synchronization. */
export interface SyncFolders {
  /** A new code: the key of a folder, for people to copy. */
  newCode(): string
  newDevice(): string
  /** Whether some device wrote to the folder already. */
  isInUse(folder: string): Promise<boolean>
  /**
   * @throws Problem `invalid` when the code is none or is of another folder, `not-found` when the folder is not there or
   *   has been emptied since
   */
  open(folder: string, code: string, isNew: boolean): Promise<SyncFolder>
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
  name: Name,
  code: z.string().max(200).exactOptional()
})
export type SyncSetup = z.infer<typeof SyncSetup>

/** Body of the request that says what joining would do. */
export const SyncJoin = z.strictObject({ folder: SyncSetup.shape.folder, code: z.string().max(200) })
export type SyncJoin = z.infer<typeof SyncJoin>

export const SyncPause = z.strictObject({ paused: z.boolean() })
