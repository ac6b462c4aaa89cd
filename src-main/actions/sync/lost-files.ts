import { Problem } from '../../contract/problem.ts'
import type { SyncDevice, SyncListing, SyncState } from '../../contract/sync.ts'
import { hasLostFiles, lacksReadFiles, readAgainAfter } from '../../core/sync.ts'
import type { Round } from './sync-once.ts'

/** Detects files in the sync folder that are missing, damaged or written again, and sends their contents again. */

/** Maximum number of this device’s files that are checked in an hour. The next files are checked an hour later. */
const MAX_CHECKED_FILES = 200
const HOUR_MS = 60 * 60 * 1000

/** Whether a copy of this library, or this library before a restore, wrote files under this device’s name. */
export async function hasOtherWriter(
  { folder, report }: Round,
  listed: SyncListing[],
  { device, segment }: SyncState
): Promise<boolean> {
  const own = listed.find((listing) => listing.device === device)
  const last = [...(own?.segments ?? [])].reduce((a, b) => Math.max(a, b), 0)
  if (last <= segment) return false
  const read = folder.read(device, last).then((file) => file !== undefined)
  return read.catch((error) => {
    if (!(error instanceof Problem) || error.code === 'too-many') throw error
    // Anyone who can write to the folder can write a file that looks like one of a newer version.
    report.waiting.push(`There is a file under this machine’s name that it did not write. ${error.message}`)
    return false
  })
}

/** Whether files that this device wrote are missing or damaged, so that it must send all its bookmarks again. */
export async function lostOwnFiles(round: Round, own: SyncState, files: SyncListing | undefined): Promise<boolean> {
  return files?.fault === undefined && (hasLostFiles(own, files) || (await hasDamagedFiles(round, own, files)))
}

/** Whether files that other devices still need are damaged. The program that copies them may have truncated them. */
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
  const size = control.checksFiles === 'all' ? files.length : MAX_CHECKED_FILES
  const groups = Math.ceil(files.length / size)
  const first = (Math.floor(ports.now() / HOUR_MS) % groups) * size
  for (const file of files.slice(first, first + size)) {
    if (control.signal?.aborted) return false
    const isWhole = await folder.isWhole(listing, file).catch((error) => {
      // The file cannot be read, or was replaced with a file of a newer format.
      if (error instanceof Problem && (error.code === 'forbidden' || error.code === 'store-too-new')) return false
      throw error
    })
    if (!isWhole) return true
  }
  return false
}

/**
 * Sends the changes again that this device read in files of other devices, if these files are missing now. No other
 * device may have those changes.
 *
 * @returns devices whose files must be read again, but not in this round
 */
export async function resendOthers(round: Round, own: SyncState, listed: SyncListing[]): Promise<Set<string>> {
  const { ports, control } = round
  const toReadAgain: { device: string; upTo: number }[] = []
  let isMissing = false
  for (const known of own.devices) {
    const { device, upTo } = known
    const listing = listed.find((other) => other.device === device) ?? {
      segments: new Set<number>(),
      snapshot: undefined
    }
    if ('fault' in listing && listing.fault !== undefined) continue
    const after = readAgainAfter(upTo, listing) ?? ((await isRewritten(round, known, listing)) ? -1 : undefined)
    if (after !== undefined) toReadAgain.push({ device, upTo: after })
    // Only once an hour, because a device that still runs has sent its missing files again by then.
    const covered = own.covers.find((cover) => cover.device === device)?.upTo ?? -1
    if (control.checksFiles && lacksReadFiles(upTo, covered, listing)) isMissing = true
  }
  const isNeeded = isMissing || toReadAgain.length > 0
  if (own.snapshot && isNeeded && mayResend(round) && (await ports.library.sendWhatWasRead(toReadAgain)))
    return new Set()
  return new Set(toReadAgain.map(({ device }) => device))
}

/**
 * Whether the last segment that was read of a device has other contents now, because the device and its files were
 * restored to an older state, and it has written segments of the same numbers again. The segment is read only if
 * another segment follows it, or once an hour.
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

/** Returns whether all bookmarks may be sent again in this round, and adds the answer to the report. */
export function mayResend({ report, control }: Round): boolean {
  if (control.mayResend === false) {
    report.waiting.push(
      'Files are missing from the sync folder again. In an hour Earmark sends all bookmarks once more.'
    )
    return false
  }
  report.resent = true
  return true
}
