import type { SyncListing, SyncState } from '../../contract/sync.ts'

/**
 * Returns what is to be read next of a device: a segment, by its number, or the snapshot; `missing` where something is to
 * come that is not there yet; `undefined` where all was read.
 *
 * @param upTo the last segment that was read; `undefined` before the first snapshot was
 */
export function nextFile(
  upTo: number | undefined,
  { segments, snapshot }: Pick<SyncListing, 'segments' | 'snapshot'>
): number | 'snapshot' | 'missing' | undefined {
  if (upTo === undefined) return snapshot ? 'snapshot' : 'missing'
  if (segments.has(upTo + 1)) return upTo + 1
  const isBehindSnapshot = snapshot !== undefined && snapshot.after > upTo
  if (isBehindSnapshot) return 'snapshot'
  return [...segments].some((number) => number > upTo) ? 'missing' : undefined
}

/**
 * Returns whether files that a device wrote are no longer in the folder, as after somebody deleted them or put the folder
 * back to an older state. What its last snapshot stands for may be missing.
 */
export function hasLostFiles(
  { sent, snapshot }: Pick<SyncState, 'sent' | 'snapshot'>,
  listing: Pick<SyncListing, 'segments' | 'snapshot'> | undefined
): boolean {
  // The first snapshot is not written yet, or another one is being written.
  if (!snapshot) return false
  if ((listing?.snapshot?.after ?? -1) < snapshot.after) return true
  for (let number = snapshot.after + 1; number <= sent; number += 1) {
    if (!listing?.segments.has(number)) return true
  }
  return false
}

/**
 * Returns the segment after which a device is to be read again, or `undefined` if it is not. It is if its files end before
 * those that were read, as after somebody put its folder or its whole machine back to an older state: it may then write
 * the same numbers again, with other contents.
 */
export function readAgainAfter(
  upTo: number,
  { segments, snapshot }: Pick<SyncListing, 'segments' | 'snapshot'>
): number | undefined {
  const last = [...segments].reduce((one, other) => Math.max(one, other), snapshot?.after ?? -1)
  if (last >= upTo) return undefined
  return snapshot ? -1 : last
}

/** Whether segments that were read are missing, and neither the device's own snapshot stands for them nor this one's. */
export function lacksReadFiles(
  upTo: number,
  covered: number,
  { segments, snapshot }: Pick<SyncListing, 'segments' | 'snapshot'>
): boolean {
  if (!snapshot && covered < upTo) return true
  for (let number = Math.max(snapshot?.after ?? 0, covered) + 1; number <= upTo; number += 1) {
    if (!segments.has(number)) return true
  }
  return false
}
