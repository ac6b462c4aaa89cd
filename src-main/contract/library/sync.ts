import type { NextPart, SyncDevice, SyncPart, SyncRecord, SyncSegment, SyncState } from '../sync.ts'

/** Calls about synchronization with other machines. */
export interface LibrarySync {
  /** `undefined` while it is not set up. */
  readSync(): Promise<SyncState | undefined>
  /** Begins to note what changes, and lets all that is there be sent. */
  startSync(state: Pick<SyncState, 'device' | 'name' | 'folder' | 'account'>): Promise<void>
  /** Returns how many changes are yet to be sent, about. */
  countUnsent(): Promise<number>
  setSyncPaused(paused: boolean): Promise<void>
  /** Forgets everything about synchronization. The bookmarks stay. */
  stopSync(): Promise<void>
  /** Goes on as another device, which sends all it has: the segments of the former one are no longer its own. */
  becomeDevice(device: string): Promise<void>
  /**
   * Notes the times of some changes: what merging and sending do first, for all there are, in one transaction. False where
   * none is left.
   *
   * @param latest no change from now on counts as later than this
   */
  stampChanges(latest: number): Promise<boolean>
  /** Puts together the next segment of what changed; the same one until `segmentSent`. `undefined`: nothing changed. */
  nextSegment(): Promise<SyncSegment | undefined>
  segmentSent(number: number): Promise<void>
  /** Begins a snapshot, if none was made yet, or so many segments were begun since the last. */
  beginSnapshot(segments: number): Promise<void>
  /**
   * Begins a snapshot, unless one is being written, which devices read too that have read all segments of this one: files
   * of others are missing that this one has read. Some others are read again, after a segment. False if it did not begin.
   */
  sendWhatWasRead(toReadAgain: Pick<SyncDevice, 'device' | 'upTo'>[]): Promise<boolean>
  /** Puts together the next part of the snapshot that is being written; another one after `partSent`. */
  nextPart(): Promise<NextPart | undefined>
  partSent(part: Pick<SyncPart, 'part' | 'isLast' | 'upTo'>, at: number): Promise<void>
  /**
   * Inserts bookmarks of which nothing is known here, as quickly as an import does, and returns the indexes of all other
   * records. What it inserts can be taken back as an import.
   */
  insertUnknown(records: SyncRecord[], at: number): Promise<number[]>
  /**
   * Merges some records of another device. In any order, and any number of times, the same records give the same
   * bookmarks.
   *
   * @returns how many of them changed something
   */
  mergeRecords(records: SyncRecord[], at: number): Promise<number>
  /** Lets bookmarks that were merged without their pictures refer to them, though they are not here. */
  referToMissing(records: SyncRecord[]): Promise<void>
  segmentRead(
    segment: Pick<SyncSegment, 'device' | 'number' | 'name'> & Pick<SyncDevice, 'digest'>,
    at: number
  ): Promise<void>
  /** Notes that a snapshot was merged: its device is read so far, and so are those that it covers. */
  snapshotRead(part: Pick<SyncPart, 'device' | 'name' | 'after' | 'covers'>, at: number): Promise<void>
}
