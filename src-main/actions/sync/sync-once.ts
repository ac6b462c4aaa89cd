import { Problem } from '../../contract/problem.ts'
import type {
  SyncDevice,
  SyncFolder,
  SyncListing,
  SyncPart,
  SyncProgress,
  SyncRecord,
  SyncReport,
  SyncState
} from '../../contract/sync.ts'
import { clockTime } from '../../core/sync/clock.ts'
import { hasLostFiles, lacksReadFiles, nextFile, readAgainAfter } from '../../core/sync/next-file.ts'
import { sameLibrary } from '../library/same-library.ts'
import { trustedTime } from '../library/trusted-time.ts'
import type { Ports } from '../ports.ts'
import { notSetUp, syncCode, syncPlace } from './set-up-sync.ts'
import { receivePictures, resendPictures, sendPictures } from './sync-pictures.ts'

/** Records that are merged in one transaction; between two of them other writes get their turn. */
const AT_ONCE = 100

/** A machine whose clock is further ahead would win over every change that the others make until then. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000

/** A clock that is so much past the latest time that is known is wrong: no machine was used that long ago. */
const LEAP_MS = 45 * 24 * 60 * 60 * 1000

/** Changes of a round may be so much later than its beginning. */
const SLACK_MS = 60 * 60 * 1000

/** After so many segments a device writes a snapshot. */
const SEGMENTS = 1000

/** Segments before so many are removed at once. A server lists some 17,000 files before it is too much. */
const MAX_OLD_SEGMENTS = 5000

/** Segments are kept so long after a snapshot: who has read most of them need not read all bookmarks again. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Files of its own that a device reads when it looks for damaged ones. Of more, it reads others an hour later. */
const CHECKED_FILES = 200
const HOUR_MS = 60 * 60 * 1000

/** One round of sending and receiving. */
interface Round {
  ports: Ports
  folder: SyncFolder
  report: SyncReport
  /**
   * False once the service ends, or the owner pauses or leaves. Throws where another library has taken this one's place.
   */
  isGoing(): Promise<boolean>
  control: SyncControl
  /** Whether nothing was received before: what comes is most likely not here, and can be taken back as one. */
  isJoining: boolean
}

export interface SyncControl {
  /** Whether to end before the next step. */
  isOver?(): boolean
  /** Whether all bookmarks may be sent again, if files are missing or another's. */
  mayResend?: boolean
  /**
   * Whether to look for files of this device that are damaged, and for pictures that are missing: both may be very many.
   * `some` reads up to `CHECKED_FILES` of its files.
   */
  checksFiles?: 'some' | 'all' | false | undefined
  onProgress?(progress: SyncProgress): void
}

/**
 * Reads what other devices wrote, and writes what changed here.
 *
 * @throws Problem `not-found` when it is not set up, or the folder is not there
 */
export async function syncOnce(ports: Ports, control: SyncControl = {}): Promise<SyncReport> {
  const { library } = ports
  const inSameLibrary = sameLibrary(library)
  const state = await library.readSync()
  if (!state) throw notSetUp()
  const report: SyncReport = { sent: 0, received: 0, waiting: [] }
  if (state.paused) return { ...report, waiting: ['Synchronization is paused.'] }
  const isGoing = async () => {
    const now = await library.readSync()
    inSameLibrary()
    return !control.isOver?.() && now?.account === state.account && !now.paused
  }
  const folders = await ports.syncFolders()
  const folder = await folders.open(await syncPlace(ports, state), await syncCode(ports), false)
  const isJoining = state.devices.length === 0
  const round: Round = { ports, folder, report, isGoing, control, isJoining }
  const listed = await folder.list()
  const isCopy = state.devices.some(({ device }) => device === state.device)
  if (isCopy || (await wroteMore(round, listed, state))) await library.becomeDevice(folders.newDevice())
  const own = (await library.readSync()) ?? state
  const ownFiles = listed.find(({ device }) => device === own.device)
  const isLost =
    ownFiles?.fault === undefined && (hasLostFiles(own, ownFiles) || (await hasDamagedFiles(round, own, ownFiles)))
  const toReadAgain = await resendOthers(round, own, listed)
  const latest = await latestTime(ports, state)
  // Between two parts other writes get their turn.
  while ((await isGoing()) && (await library.stampChanges(latest)));
  // What is wrong with one machine's files keeps back neither those of others nor what is sent.
  const faults: unknown[] = []
  for (const listing of listed) {
    if (listing.device === own.device || toReadAgain.has(listing.device) || control.isOver?.()) continue
    await receive(round, listing).catch((error) => {
      // The library is another one, or the server wants to be left alone.
      if (error instanceof Problem && (error.code === 'taken' || error.code === 'too-many')) throw error
      if (error instanceof Problem) report.waiting.push(error.message)
      else faults.push(error)
    })
  }
  await send(round, isLost, folders.newDevice)
  await removeOld(round, ownFiles)
  if (control.checksFiles && (await isGoing())) await resendPictures(ports, folder)
  if (faults.length > 0) throw faults[0]
  return report
}

/**
 * Returns the latest time that a change can be of. Where the clock has leapt far ahead that is what is known: otherwise the
 * others would wait for this machine, and its changes would win over all of theirs, until that time comes.
 */
async function latestTime(ports: Ports, { latestChange }: SyncState): Promise<number> {
  const now = ports.now()
  const known = Math.max(await trustedTime(ports), latestChange)
  return (now > known + LEAP_MS ? known : now) + SLACK_MS
}

/** Whether another copy of this library, or what a backup of it is from, wrote under this device's name. */
async function wroteMore({ folder, report }: Round, listed: SyncListing[], { device, segment }: SyncState) {
  const own = listed.find((one) => one.device === device)
  const last = [...(own?.segments ?? [])].reduce((one, other) => Math.max(one, other), 0)
  if (last <= segment) return false
  const read = folder.read(device, last).then((file) => file !== undefined)
  return read.catch((error) => {
    if (!(error instanceof Problem) || error.code === 'too-many') throw error
    // Whoever can write to the folder can write a file that looks like one of a newer version.
    report.waiting.push(`There is a file under this machine’s name that it did not write. ${error.message}`)
    return false
  })
}

/** Whether files that this device wrote, and that others still need, are damaged: a program that copies them may cut them. */
async function hasDamagedFiles(
  { ports, folder, control }: Round,
  { sent }: SyncState,
  listing: SyncListing | undefined
): Promise<boolean> {
  if (!control.checksFiles || !listing?.snapshot) return false
  const { after, parts } = listing.snapshot
  const files = [
    ...Array.from({ length: parts }, (_, index) => ({ part: index + 1 })),
    ...[...listing.segments].filter((number) => number > after && number <= sent).map((segment) => ({ segment }))
  ]
  const size = control.checksFiles === 'all' ? files.length : CHECKED_FILES
  const groups = Math.ceil(files.length / size)
  const first = (Math.floor(ports.now() / HOUR_MS) % groups) * size
  for (const file of files.slice(first, first + size)) {
    if (control.isOver?.()) return false
    const isWhole = await folder.isWhole(listing, file).catch((error) => {
      // It cannot be read, or somebody put one of a newer format in its place.
      if (error instanceof Problem && (error.code === 'forbidden' || error.code === 'store-too-new')) return false
      throw error
    })
    if (!isWhole) return true
  }
  return false
}

/**
 * Sends what this device has read in files of others that are missing now: nobody else may have it.
 *
 * @returns devices whose files are to be read again, if they cannot be yet: what follows must not be read before
 */
async function resendOthers(round: Round, own: SyncState, listed: SyncListing[]): Promise<Set<string>> {
  const { ports, control } = round
  const toReadAgain: { device: string; upTo: number }[] = []
  let isMissing = false
  for (const known of own.devices) {
    const { device, upTo } = known
    const listing = listed.find((one) => one.device === device) ?? { segments: new Set<number>(), snapshot: undefined }
    if ('fault' in listing && listing.fault !== undefined) continue
    const after = readAgainAfter(upTo, listing) ?? ((await isRewritten(round, known, listing)) ? -1 : undefined)
    if (after !== undefined) toReadAgain.push({ device, upTo: after })
    // If it still writes, it sends its own missing files again, before the hour is over.
    const covered = own.covers.find((one) => one.device === device)?.upTo ?? -1
    if (control.checksFiles && lacksReadFiles(upTo, covered, listing)) isMissing = true
  }
  const isNeeded = isMissing || toReadAgain.length > 0
  if (own.snapshot && isNeeded && mayResend(round) && (await ports.library.sendWhatWasRead(toReadAgain)))
    return new Set()
  return new Set(toReadAgain.map(({ device }) => device))
}

/**
 * Whether the last segment that was read of a device is another one now: the device went back to an older state together
 * with its files, and has written the same numbers again. It is read only if others follow it, or once in an hour.
 */
async function isRewritten(
  { folder, control }: Round,
  { device, upTo, digest }: SyncDevice,
  { segments }: Pick<SyncListing, 'segments'>
): Promise<boolean> {
  if (!digest || !segments.has(upTo) || !(control.checksFiles || segments.has(upTo + 1))) return false
  const segment = await folder.read(device, upTo).catch((error) => {
    if (!(error instanceof Problem) || error.code === 'too-many') throw error
    return undefined
  })
  return segment !== undefined && segment.digest !== digest
}

/** Writes what changed, and then, if one is due, a snapshot. */
async function send(round: Round, isLost: boolean, newDevice: () => string): Promise<void> {
  const { ports, folder, report, isGoing, control } = round
  const { library, now } = ports
  const next = <T>(work: () => Promise<T>) => library.inOneLibrary(async () => ((await isGoing()) ? work() : undefined))
  await next(() => library.beginSnapshot(isLost && mayResend(round) ? 0 : SEGMENTS))
  for (;;) {
    const segment = await next(library.nextSegment)
    if (segment) {
      const records = await sendPictures(ports, folder, segment.records)
      if (!(await folder.write({ ...segment, records }))) {
        if (!mayResend(round)) return
        await library.becomeDevice(newDevice())
        continue
      }
      await library.segmentSent(segment.number)
      report.sent += segment.records.length
      continue
    }
    const part = await next(library.nextPart)
    if (!part) break
    await folder.writePart({ ...part, records: await sendPictures(ports, folder, part.records) })
    await library.partSent(part, now())
    report.sent += part.records.length
    if (!part.isLast) control.onProgress?.({ work: 'sending', done: part.upTo, total: part.total })
  }
}

/** Removes files that the last snapshot stands for, in the round after it was written or later. */
async function removeOld({ ports, folder }: Round, listing: SyncListing | undefined): Promise<void> {
  const { device, snapshot } = (await ports.library.readSync()) ?? {}
  if (!snapshot || !listing || listing.device !== device) return
  const isOld = ports.now() - snapshot.at > KEPT_MS
  const upTo = isOld ? snapshot.after : snapshot.after - MAX_OLD_SEGMENTS
  if ([...listing.segments].some((number) => number <= upTo)) await folder.removeBefore(device, upTo)
}

/** Notes that all bookmarks are sent again, or that they would be. */
function mayResend({ report, control }: Round): boolean {
  if (control.mayResend === false) {
    report.waiting.push(
      'Files are missing from the sync folder again. In an hour Earmark sends all bookmarks once more.'
    )
    return false
  }
  report.resent = true
  return true
}

async function receive(round: Round, listing: SyncListing): Promise<void> {
  const { ports, folder, report, isGoing } = round
  const { library, now } = ports
  if (listing.fault !== undefined) report.waiting.push(listing.fault)
  while (await isGoing()) {
    const known = (await library.readSync())?.devices.find(({ device }) => device === listing.device)
    const next = nextFile(known?.upTo, listing)
    if (next === undefined) return
    if (next === 'missing' && !known) {
      report.waiting.push('Another machine has not sent all of its bookmarks yet, or they are not all in the folder.')
      return
    }
    if (next === 'snapshot') {
      if (!(await receiveSnapshot(round, listing))) return
      continue
    }
    const segment = next === 'missing' ? undefined : await folder.read(listing.device, next)
    const number = (known?.upTo ?? 0) + 1
    if (!segment && listing.snapshot && listing.snapshot.after >= number) {
      // It is damaged, and all it said is in the snapshot.
      if (!(await receiveSnapshot(round, listing))) return
      continue
    }
    if (!segment) {
      report.waiting.push(`Waiting for file ${number} of “${known?.name}”: it is not in the folder yet, or not whole.`)
      return
    }
    const refused = await refusedPictures(segment, round)
    if (!refused) return
    await library.inOneLibrary(async () => {
      if (!(await isGoing())) return
      await merge(round, segment.records, refused)
      await library.segmentRead(segment, now())
    })
  }
}

/** False where it has to be read again later. */
async function receiveSnapshot(round: Round, listing: SyncListing): Promise<boolean> {
  const { ports, folder, report, isGoing, control } = round
  const { library, now } = ports
  const total = listing.snapshot?.parts ?? 0
  const read = (number: number) => {
    const reading = folder.readPart(listing, number)
    reading.catch(() => {}) // told to whoever waits for it
    return reading
  }
  let next = read(1)
  let first: SyncPart | undefined
  let upTo = 0
  for (let number = 1; number <= total && (await isGoing()); number += 1) {
    const part = await next
    // One that was written twice may be there as it was at first, and the ones after it fit the second.
    if (part?.from !== upTo) {
      report.waiting.push('The bookmarks of another machine are not whole in the folder yet.')
      return false
    }
    const refused = await refusedPictures(part, round)
    if (!refused) return false
    // The next one is read while this one is written.
    if (number < total) next = read(number + 1)
    first ??= part
    upTo = part.upTo
    await library.inOneLibrary(async () => {
      if (!(await isGoing())) return
      await merge({ ...round, isJoining: true }, part.records, refused)
      if (first && part.isLast) await library.snapshotRead(first, now())
    })
    control.onProgress?.({ work: 'receiving', done: number, total })
  }
  return true
}

/** @param refused pictures that cannot be kept, without which their bookmarks are merged */
async function merge(
  { ports, report, isJoining }: Round,
  all: SyncRecord[],
  refused: Map<string, string>
): Promise<void> {
  const { library, now } = ports
  const isRefused = ({ fields }: SyncRecord) => refused.has(String(fields.picture?.[0]))
  const records = all.map((record) => {
    if (!isRefused(record)) return record
    const { picture: _, ...fields } = record.fields
    return { ...record, fields }
  })
  const rest = isJoining ? await library.insertUnknown(records, now()) : undefined
  const known = rest ? rest.flatMap((index) => records[index] ?? []) : records
  report.received += records.length - known.length
  for (let at = 0; at < known.length; at += AT_ONCE) {
    report.received += await library.mergeRecords(known.slice(at, at + AT_ONCE), now())
  }
  if (refused.size === 0) return
  await library.referToMissing(all.filter(isRefused))
  report.waiting = [...new Set([...report.waiting, ...refused.values()])]
}

/**
 * Keeps the pictures of what was read. Returns those that cannot be kept, by their hashes; `undefined` if it cannot be
 * merged yet, with the reason in the report.
 */
async function refusedPictures(
  file: Pick<SyncPart, 'name' | 'records'>,
  { ports, folder, report }: Round
): Promise<Map<string, string> | undefined> {
  const { name, records } = file
  const latest = ports.now() + MOST_AHEAD_MS
  const isAhead = records.some(({ fields }) =>
    Object.values(fields).some(([, clock]) => clock !== '' && clockTime(clock) > latest)
  )
  if (isAhead) {
    report.waiting.push(
      `The clock of “${name}” is more than a day ahead, or was. Set it right, or this machine’s. Its changes are waited for.`
    )
    return undefined
  }
  const { waits, refused } = await receivePictures(ports, folder, file)
  if (waits === undefined) return refused
  report.waiting.push(waits)
  return undefined
}
