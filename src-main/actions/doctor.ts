import { release } from 'node:os'
import type { DoctorReport, Finding, LoggedError } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { keychainFinding, syncFinding } from '../core/doctor-findings.ts'
import { hasLostFiles, nextFile } from '../core/sync.ts'
import type { Ports } from './ports.ts'
import { syncCode, syncPlace } from './sync/set-up-sync.ts'

/** Facts about the machine and the data folder that only the host can read. */
export interface Surroundings {
  /** Checks whether only the owner can read the data folder. */
  checkFolder(): Finding
  /** Returns the program that syncs the data folder, if there is one. */
  syncedBy(): string | undefined
  /** Writes the commands in an advice as this host’s users type them. */
  asTyped(advice: string): string
  /** Returns the last errors in the log, newest first. */
  lastErrors(): LoggedError[]
}

/**
 * Checks the open library and its surroundings. Changes nothing.
 *
 * @param origin the origin of the service
 */
export async function examineLibrary(
  ports: Ports,
  { checkFolder, syncedBy, asTyped }: Surroundings,
  origin: string
): Promise<DoctorReport> {
  const { library, keychain, now } = ports
  const [ofLibrary, fault, sync] = await Promise.all([library.examine(now()), keychain.fault(), examineSync(ports)])
  const port: Finding = { check: 'port', state: 'ok', text: `Earmark serves at ${origin}.` }
  const findings = [checkFolder(), ...syncFinding(syncedBy()), ...ofLibrary, port, keychainFinding(fault), ...sync].map(
    (finding) => (finding.advice === undefined ? finding : { ...finding, advice: asTyped(finding.advice) })
  )
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings }
}

/** Checks the folder and the code for synchronization, if it is set up, and the files of this machine and the others. */
export async function examineSync(ports: Ports): Promise<Finding[]> {
  const state = await ports.library.readSync()
  if (!state) return []
  try {
    const folders = await ports.syncFolders()
    const folder = await folders.open(await syncPlace(ports, state), await syncCode(ports), false)
    const listed = await folder.list()
    const ownFiles = listed.find(({ device }) => device === state.device)
    if (hasLostFiles(state, ownFiles)) {
      const advice = 'Earmark sends all of its bookmarks again. To do that now: earmark sync now'
      return [syncProblem('Files of this machine are missing from the sync folder.', advice)]
    }
    const missing = state.devices.filter(({ device, upTo }) => {
      const files = listed.find((listing) => listing.device === device)
      return files && nextFile(upTo, files) === 'missing'
    })
    if (missing.length > 0) {
      const names = missing.map(({ name }) => `“${name}”`).join(', ')
      const text = `Files of ${names} are missing from the sync folder.`
      return [syncProblem(text, 'Start Earmark there: it sends them again.')]
    }
    const text = `This machine synchronizes through ${state.folder}, with ${state.devices.length} others.`
    return [{ check: 'sync', state: 'ok', text }]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [syncProblem(error.message, 'Run: earmark sync status')]
  }
}

function syncProblem(text: string, advice: string): Finding {
  return { check: 'sync', state: 'problem', text, advice }
}

/**
 * A version without any other text, which is the content of `latest.txt` on the project’s site
 * (`packaging/release-files.ts`).
 */
const VERSION = /^\d+\.\d+\.\d+$/

interface NewestVersion {
  newest: string
  isNewer: boolean
  /** The address of the site for downloads. */
  site: string
}

/**
 * Requests the newest version from the project’s site. Called only if the owner presses a button, never automatically.
 *
 * @param site the address of the project’s site, with a slash at its end
 * @throws Problem `service-unreachable` if the version cannot be read, `forbidden` if nothing may be fetched
 */
export async function findNewestVersion({ web }: Ports, version: string, site: string): Promise<NewestVersion> {
  const look = `You find the newest version at ${site}.`
  if (!web)
    throw new Problem(
      'forbidden',
      `Earmark was started with --no-fetch, so it does not connect to other computers. ${look}`
    )
  if (!web.isConnected()) {
    throw new Problem('service-unreachable', 'This computer has no network connection. Connect it, and try again.')
  }
  const reading = await web.readPage(new URL('latest.txt', site).href, new AbortController().signal)
  const newest = 'details' in reading ? reading.details.text.trim() : ''
  if (!VERSION.test(newest)) {
    throw new Problem('service-unreachable', `Earmark could not read the newest version. Try again later. ${look}`)
  }
  return { newest, isNewer: newest.localeCompare(version, 'en', { numeric: true }) > 0, site }
}

interface ReportFacts {
  version: string
  /** When the service started, in ms since 1970. */
  startedAt: number
  surroundings: Surroundings
}

const MIB = 1024 * 1024
const MINUTE_MS = 60_000

/**
 * Writes a report on this installation, for somebody who looks for the cause of a problem. It has no titles, addresses,
 * names, paths or keys.
 */
export async function writeReport(
  { library, keychain, now, web }: Ports,
  { version, startedAt, surroundings }: ReportFacts
): Promise<string> {
  const { all, link, image, color, text, trash } = await library.countByKind()
  const keys = await library.listKeys()
  const organizations = await library.listOrganizations()
  const { watchedFiles } = await library.readSettings()
  const sync = await library.readSync()
  const { electron, node } = process.versions
  const errors = surroundings.lastErrors()
  return [
    `Earmark ${version}, running for ${Math.floor((now() - startedAt) / MINUTE_MS)} minutes`,
    `System: ${process.platform} ${release()} ${process.arch}, ${electron ? `Electron ${electron}, ` : ''}Node ${node}`,
    `Bookmarks: ${all} (links ${link}, images ${image}, colors ${color}, texts ${text}), in the trash ${trash}`,
    `Waiting: to be indexed ${await library.countUnindexed()}, pages to be read ${await library.countPagesToRead()}`,
    `Library: ${(library.measure().bytes / MIB).toFixed(1)} MiB, damaged: ${yesNo(library.isDamaged())}, log lost: ${yesNo(library.lostLog())}`,
    `Keys: ${keys.filter(({ revokedAt }) => revokedAt === null).length}, organizations: ${organizations.length}, watched files: ${watchedFiles.length}`,
    `Synchronizes: ${yesNo(sync !== undefined)}, fetches pages: ${yesNo(web !== undefined)}, keychain: ${yesNo((await keychain.fault()) === undefined)}`,
    errors.length > 0 ? 'Last errors:' : 'No errors in the log.',
    ...errors.flatMap(({ at, name, stack }) => [`${at} ${name}`, ...stack.map((frame) => `  at ${frame}`)]),
    ''
  ].join('\n')
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no'
}
