import type { FieldValue, SyncField, SyncListing, SyncState } from '../contract/sync.ts'

/**
 * The pure decisions of synchronization: times of changes, which change wins, and which file to read next.
 *
 * A clock is a hybrid logical clock (Kulkarni et al., 2014): a text of milliseconds, a counter and the device. Clocks sort
 * as texts, and no two changes have the same one.
 */
const TIME_LENGTH = 9
const COUNTER_LENGTH = 4
const COUNTER_END = 36 ** COUNTER_LENGTH

/**
 * Returns the clock of the next change on a device: later than every clock that the device made or read, and not before
 * `now`.
 *
 * @param last the latest clock so far; empty at first
 * @param now milliseconds since 1970
 */
export function nextClock(last: string, now: number, device: string): string {
  const lastTime = last === '' ? 0 : clockTime(last)
  if (now > lastTime) return formatClock(now, 0, device)
  const counter = Number.parseInt(last.slice(TIME_LENGTH, TIME_LENGTH + COUNTER_LENGTH), 36) + 1
  return counter < COUNTER_END ? formatClock(lastTime, counter, device) : formatClock(lastTime + 1, 0, device)
}

/** Returns a clock’s time, in milliseconds since 1970, by the clock of the machine that made it. */
export function clockTime(clock: string): number {
  return Number.parseInt(clock.slice(0, TIME_LENGTH), 36)
}

/** Whether a text that another machine wrote is a clock. */
export function isClock(text: string): boolean {
  return /^[0-9a-z]{13}[0-9a-f]{32}$/.test(text)
}

function formatClock(time: number, counter: number, device: string): string {
  return time.toString(36).padStart(TIME_LENGTH, '0') + counter.toString(36).padStart(COUNTER_LENGTH, '0') + device
}

type Fields = Record<string, SyncField>

/**
 * Joins two devices’ fields of one record. For each field, the last change wins. The result does not depend on the
 * order in which records are joined, or on how often.
 */
export function joinFields(current: Fields, incoming: Fields): Fields {
  const joined: Fields = { ...current }
  for (const [name, field] of Object.entries(incoming)) joined[name] = laterField(name, joined[name], field)
  return joined
}

/** Returns the field that was changed last. Of two changes with the same clock, every machine chooses the same one. */
export function laterField(name: string, current: SyncField | undefined, incoming: SyncField): SyncField {
  if (current === undefined) return incoming
  if (current[1] !== incoming[1]) return current[1] > incoming[1] ? current : incoming
  return compareValues(name, current[0], incoming[0]) >= 0 ? current : incoming
}

/** Returns a positive number if the first of two values with the same clock wins. */
function compareValues(name: string, a: FieldValue, b: FieldValue): number {
  const rank = RANKS[name]
  if (rank && rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'number' && typeof b === 'number') return name === 'createdAt' ? b - a : a - b
  const [first, second] = [sortKey(a), sortKey(b)]
  return first === second ? 0 : first > second ? 1 : -1
}

/** Null and empty texts sort first. */
function sortKey(value: FieldValue): string {
  return value === null || value === '' ? '' : JSON.stringify(value)
}

/**
 * The rank of a value, by its field. Of changes with the same clock, private wins over organization and public, and a
 * record that exists over a deleted or purged one.
 */
const RANKS: Record<string, (value: FieldValue) => number> = {
  place: (value) => ['public', 'organization', 'private'].indexOf(Array.isArray(value) ? String(value[0]) : ''),
  life: (value) => (value === null ? 2 : typeof value === 'number' ? 1 : 0),
  gone: (value) => (value === null ? 1 : 0),
  deleted: (value) => (value === null ? 1 : 0)
}

type Files = Pick<SyncListing, 'segments' | 'snapshot'>

/**
 * Returns which of a device’s files to read next: a segment, by its number, or the snapshot; `missing` if the next file
 * has not arrived; `undefined` if all were read.
 *
 * @param upTo the last segment that was read; `undefined` before the first snapshot was read
 */
export function nextFile(
  upTo: number | undefined,
  { segments, snapshot }: Files
): number | 'snapshot' | 'missing' | undefined {
  if (upTo === undefined) return snapshot ? 'snapshot' : 'missing'
  if (segments.has(upTo + 1)) return upTo + 1
  if (snapshot !== undefined && snapshot.after > upTo) return 'snapshot'
  return [...segments].some((number) => number > upTo) ? 'missing' : undefined
}

/**
 * Whether files that this device wrote are no longer in the folder, for example because somebody deleted them or restored
 * an older state of the folder. Segments that the last snapshot covers may be missing.
 */
export function hasLostFiles(
  { sent, snapshot }: Pick<SyncState, 'sent' | 'snapshot'>,
  files: Files | undefined
): boolean {
  // The first snapshot is not written yet, or another one is being written.
  if (!snapshot) return false
  if ((files?.snapshot?.after ?? -1) < snapshot.after) return true
  for (let number = snapshot.after + 1; number <= sent; number += 1) {
    if (!files?.segments.has(number)) return true
  }
  return false
}

/**
 * Returns the segment after which the files of a device must be read again; `undefined` if they need not. They must be
 * read again if they end before the last segment that was read, for example because the device was restored to an older
 * state. It may then write segments of the same numbers with other contents.
 */
export function readAgainAfter(upTo: number, { segments, snapshot }: Files): number | undefined {
  const last = [...segments].reduce((a, b) => Math.max(a, b), snapshot?.after ?? -1)
  if (last >= upTo) return undefined
  return snapshot ? -1 : last
}

/** Whether segments that were read are now missing, and no snapshot of their device or of this device covers them. */
export function lacksReadFiles(upTo: number, covered: number, { segments, snapshot }: Files): boolean {
  if (!snapshot && covered < upTo) return true
  for (let number = Math.max(snapshot?.after ?? 0, covered) + 1; number <= upTo; number += 1) {
    if (!segments.has(number)) return true
  }
  return false
}
