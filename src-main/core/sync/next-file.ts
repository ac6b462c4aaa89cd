import type { SyncListing } from '../../contract/sync.ts'

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
