import { Problem } from '../../contract/problem.ts'
import type {
  SyncFolder,
  SyncListing,
  SyncPart,
  SyncProgress,
  SyncRecord,
  SyncReport,
  SyncState
} from '../../contract/sync.ts'
import { clockTime, nextFile } from '../../core/sync.ts'
import { trustedTime } from '../housekeeping.ts'
import { inBatches } from '../long-work.ts'
import type { Ports } from '../ports.ts'
import { hasOtherWriter, lostOwnFiles, mayResend, resendOthers } from './lost-files.ts'
import { notSetUp, syncCode, syncPlace } from './set-up-sync.ts'
import { receivePictures, resendPictures, sendPictures } from './sync-pictures.ts'

/** Maximum number of records that are merged in one transaction, so that other writes are not delayed. */
const BATCH_SIZE = 100

/**
 * Maximum time that the clock of another machine may be ahead, in ms. Changes with a later time are not merged, because
 * they would win over all other changes until that time.
 */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000

/**
 * Maximum time that this machine’s clock may be ahead of the latest known time, in ms. Further ahead it is wrong,
 * because machines are not unused for so long.
 */
const LEAP_MS = 45 * 24 * 60 * 60 * 1000

/** Maximum time of a round’s changes after the beginning of the round, in ms. */
const SLACK_MS = 60 * 60 * 1000

/** Number of segments after which a device writes a snapshot. */
const SEGMENTS_PER_SNAPSHOT = 1000

/**
 * Maximum number of segments before a snapshot. Earlier ones are removed even if the snapshot is new, because some
 * servers list only about 17,000 files.
 */
const MAX_OLD_SEGMENTS = 5000

/** Time for which segments stay after their snapshot, in ms, for devices that have read most of them. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** One round of sending and receiving. */
export interface Round {
  ports: Ports
  folder: SyncFolder
  report: SyncReport
  /** False after the service was stopped, or the owner paused or left synchronization. */
  isGoing(): Promise<boolean>
  control: SyncControl
  /** Whether this device has received nothing before, so that most records are new and become one undo step. */
  isJoining: boolean
}

export interface SyncControl {
  /** Aborts requests to a server, and ends the round before the next step. */
  signal?: AbortSignal
  /** Whether all bookmarks may be sent again if files are missing, or are from another device. */
  mayResend?: boolean
  /** Whether to check for missing pictures and for damaged files of this device: all files, or only some. */
  checksFiles?: 'some' | 'all' | false | undefined
  onProgress?(progress: SyncProgress): void
}

/**
 * Makes one round: reads the files of other devices, and writes the changes of this device.
 *
 * @throws Problem `not-found` if synchronization is not set up, or the folder does not exist
 */
export async function syncOnce(ports: Ports, control: SyncControl = {}): Promise<SyncReport> {
  const { library } = ports
  const state = await library.readSync()
  if (!state) throw notSetUp()
  const report: SyncReport = { sent: 0, received: 0, waiting: [] }
  if (state.paused) return { ...report, waiting: ['Synchronization is paused.'] }
  const isGoing = async () => {
    const now = await library.readSync()
    return !control.signal?.aborted && now?.account === state.account && !now.paused
  }
  const folders = await ports.syncFolders()
  const folder = await folders.open(await syncPlace(ports, state), await syncCode(ports), false, control.signal)
  const round: Round = { ports, folder, report, isGoing, control, isJoining: state.devices.length === 0 }
  const listed = await folder.list()
  const isCopy = state.devices.some(({ device }) => device === state.device)
  if (isCopy || (await hasOtherWriter(round, listed, state))) await library.becomeDevice(folders.newDevice())
  const own = (await library.readSync()) ?? state
  const ownFiles = listed.find(({ device }) => device === own.device)
  const isLost = await lostOwnFiles(round, own, ownFiles)
  const toReadAgain = await resendOthers(round, own, listed)
  const latest = await latestTime(ports, state)
  while ((await isGoing()) && (await library.stampChanges(latest)));
  // A fault in one machine’s files stops neither sending nor receiving from others.
  const faults: unknown[] = []
  for (const listing of listed) {
    if (listing.device === own.device || toReadAgain.has(listing.device) || control.signal?.aborted) continue
    await receive(round, listing).catch((error) => {
      if (error instanceof Problem && error.code === 'too-many') throw error // the server asks to wait
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
 * Returns the latest time that a change may have. If the clock has leapt far ahead, that is the latest known time.
 * Otherwise the changes of this machine would win over all others, or be refused by other machines, until the clock’s
 * time.
 */
async function latestTime(ports: Ports, { latestChange }: SyncState): Promise<number> {
  const now = ports.now()
  const known = Math.max(await trustedTime(ports), latestChange)
  return (now > known + LEAP_MS ? known : now) + SLACK_MS
}

/** Writes the changes, and then a snapshot, if a snapshot is due. */
async function send(round: Round, isLost: boolean, newDevice: () => string): Promise<void> {
  const { ports, folder, report, isGoing, control } = round
  const { library, now } = ports
  const next = async <T>(work: () => Promise<T>) => ((await isGoing()) ? work() : undefined)
  await next(() => library.beginSnapshot(isLost && mayResend(round) ? 0 : SEGMENTS_PER_SNAPSHOT))
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

/** Removes files that the last snapshot replaces. A round does not remove files that its own snapshot replaces. */
async function removeOld({ ports, folder }: Round, listing: SyncListing | undefined): Promise<void> {
  const { device, snapshot } = (await ports.library.readSync()) ?? {}
  if (!snapshot || !listing || listing.device !== device) return
  const isOld = ports.now() - snapshot.at > KEPT_MS
  const upTo = isOld ? snapshot.after : snapshot.after - MAX_OLD_SEGMENTS
  if ([...listing.segments].some((number) => number <= upTo)) await folder.removeBefore(device, upTo)
}

/** Reads and merges the files of a device, until a file is missing. */
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
    const segment = typeof next === 'number' ? await folder.read(listing.device, next) : undefined
    const number = (known?.upTo ?? 0) + 1
    // A snapshot also replaces a damaged segment.
    const inSnapshot = listing.snapshot !== undefined && listing.snapshot.after >= number
    if (next === 'snapshot' || (!segment && inSnapshot)) {
      if (!(await receiveSnapshot(round, listing))) return
      continue
    }
    if (!segment) {
      report.waiting.push(`Waiting for file ${number} of “${known?.name}”: it is not in the folder yet, or not whole.`)
      return
    }
    const refused = await refusedPictures(segment, round)
    if (!refused) return
    if (!(await isGoing())) return
    await merge(round, segment.records, refused)
    await library.segmentRead(segment, now())
  }
}

/** Returns false if the snapshot must be read again later. */
async function receiveSnapshot(round: Round, listing: SyncListing): Promise<boolean> {
  const { ports, folder, report, isGoing, control } = round
  const { library, now } = ports
  const total = listing.snapshot?.parts ?? 0
  const read = (number: number) => {
    const reading = folder.readPart(listing, number)
    reading.catch(() => {}) // handled when it is awaited
    return reading
  }
  let next = read(1)
  let first: SyncPart | undefined
  let upTo = 0
  for (let number = 1; number <= total && (await isGoing()); number += 1) {
    const part = await next
    // If a part was written twice, the folder may contain its first version, and following parts that fit its second
    // version.
    if (part?.from !== upTo) {
      report.waiting.push('The bookmarks of another machine are not whole in the folder yet.')
      return false
    }
    const refused = await refusedPictures(part, round)
    if (!refused) return false
    // Read the next part while this one is merged.
    if (number < total) next = read(number + 1)
    first ??= part
    upTo = part.upTo
    if (!(await isGoing())) break
    await merge({ ...round, isJoining: true }, part.records, refused)
    if (first && part.isLast) await library.snapshotRead(first, now())
    control.onProgress?.({ work: 'receiving', done: number, total })
  }
  return true
}

/** @param refused the pictures that cannot be stored; their bookmarks are merged without them */
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
  await inBatches(known, BATCH_SIZE, async (batch) => {
    report.received += await library.mergeRecords(batch, now())
  })
  if (refused.size === 0) return
  await library.referToMissing(all.filter(isRefused))
  report.waiting = [...new Set([...report.waiting, ...refused.values()])]
}

/**
 * Stores the pictures of a file’s records. Returns those that cannot be stored, by their hashes; `undefined` if the file
 * cannot be merged yet, with the reason in the report.
 */
async function refusedPictures(
  file: Pick<SyncPart, 'name' | 'records'>,
  { ports, folder, report }: Round
): Promise<Map<string, string> | undefined> {
  const { name, records } = file
  const latest = ports.now() + MAX_AHEAD_MS
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
