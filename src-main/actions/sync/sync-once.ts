import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import type { SyncFolder, SyncRecord, SyncReport, SyncState } from '../../contract/sync.ts'
import { clockTime } from '../../core/sync/clock.ts'
import { sameLibrary } from '../library/same-library.ts'
import { notSetUp, syncCode } from './set-up-sync.ts'

/** Records that are merged in one transaction; between two of them other writes get their turn. */
const AT_ONCE = 100

/** A machine whose clock is further ahead would win over every change that the others make until then. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000

/**
 * Reads what other devices wrote, and writes what changed here.
 *
 * @throws Problem `not-found` when it is not set up, or the folder is not there
 */
export async function syncOnce(ports: Ports, isOver: () => boolean = () => false): Promise<SyncReport> {
  const { library } = ports
  const inSameLibrary = sameLibrary(library)
  const state = await library.readSync()
  if (!state) throw notSetUp()
  const report: SyncReport = { sent: 0, received: 0, waiting: [] }
  if (state.paused) return { ...report, waiting: ['Synchronization is paused.'] }
  const isGoing = () => {
    inSameLibrary()
    return !isOver()
  }
  const folders = await ports.syncFolders()
  const folder = await folders.open(state.folder, await syncCode(ports), false)
  const listed = await folder.list()
  const isCopy = state.devices.some(({ device }) => device === state.device)
  if (isCopy || (await wroteMore(folder, listed, state))) await library.becomeDevice(folders.newDevice())
  const own = (await library.readSync()) ?? state
  // Between two parts other writes get their turn.
  while (isGoing() && (await library.stampChanges()));
  for (const [device, numbers] of byDevice(listed)) {
    if (device === own.device || isOver()) continue
    await receive(ports, folder, own, device, numbers, report, isGoing).catch((error) => {
      if (!(error instanceof Problem) || error.code === 'taken') throw error
      report.waiting.push(error.message)
    })
  }
  while (!isOver()) {
    const segment = await library.inOneLibrary(async () => {
      inSameLibrary()
      return library.nextSegment()
    })
    if (!segment) break
    if (await folder.write(segment)) {
      await library.segmentSent(segment.number)
      report.sent += segment.records.length
    } else await library.becomeDevice(folders.newDevice())
  }
  return report
}

/** Whether another copy of this library, or what a backup of it is from, wrote under this device's name. */
async function wroteMore(folder: SyncFolder, listed: Listed, { device, segment }: SyncState): Promise<boolean> {
  const last = listed.findLast((one) => one.device === device)?.number ?? 0
  return last > segment && (await folder.read(device, last)) !== undefined
}

async function receive(
  { library, now }: Ports,
  folder: SyncFolder,
  own: SyncState,
  device: string,
  numbers: Set<number>,
  report: SyncReport,
  isGoing: () => boolean
): Promise<void> {
  const known = own.devices.find((one) => one.device === device)
  const last = Math.max(...numbers)
  for (let number = (known?.upTo ?? 0) + 1; number <= last && isGoing(); number += 1) {
    const segment = numbers.has(number) ? await folder.read(device, number) : undefined
    const name = segment?.name ?? known?.name ?? device
    if (!segment) {
      report.waiting.push(`Part ${number} of “${name}” is not in the folder yet, or not whole.`)
      return
    }
    if (segment.records.some((record) => isAhead(record, now()))) {
      report.waiting.push(`The clock of “${name}” is more than a day ahead. Set it right, or this machine’s.`)
      return
    }
    await library.inOneLibrary(async () => {
      if (!isGoing()) return
      for (let at = 0; at < segment.records.length; at += AT_ONCE) {
        report.received += await library.mergeRecords(segment.records.slice(at, at + AT_ONCE), now())
      }
      await library.segmentRead(segment, now())
    })
  }
}

function isAhead({ fields }: SyncRecord, now: number): boolean {
  return Object.values(fields).some(([, clock]) => clock !== '' && clockTime(clock) > now + MOST_AHEAD_MS)
}

type Listed = Awaited<ReturnType<SyncFolder['list']>>

function byDevice(listed: Listed): Map<string, Set<number>> {
  const devices = new Map<string, Set<number>>()
  for (const { device, number } of listed) devices.set(device, (devices.get(device) ?? new Set()).add(number))
  return devices
}
