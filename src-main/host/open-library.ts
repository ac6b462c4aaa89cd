import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Recovery, RestoreReport } from '../contract/doctor.ts'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'
import type { Service } from '../service.ts'
import { bookmarkFiles } from './bookmark-files.ts'
import { checkFolder, findSyncProgram, usualFolder } from './data-folder.ts'
import { asTyped, dashboardFolder, homepage, ownProgram, startProcess, version } from './own-program.ts'
import { readServiceFile, removeServiceFile, type ServiceFacts } from './service-file.ts'

/** Maximum wait for a library that another process has open, in ms. Commands close the library sooner. */
const TIMEOUT_MS = 3000

/**
 * Opens the library in this process, or finds the service that has it open.
 *
 * @param options `fetches` reads the pages of bookmarks while it serves; `inPlace` starts no threads, for short commands
 * @throws {LibraryLost} if the library is missing, damaged or foreign
 * @throws Problem if it is from a newer Earmark, or a program has it open without serving it
 */
export async function openOrFind(
  folder: string,
  { fetches = false, inPlace = false }: { fetches?: boolean; inPlace?: boolean } = {}
): Promise<{ service: Service } | { running: ServiceFacts }> {
  // Loaded only here, because it is most of the program, and commands that find a running service do not need it.
  const [{ openService }, { lastErrors, logBug }] = await Promise.all([import('../service.ts'), import('./log.ts')])
  const options = {
    data: folder,
    version,
    site: homepage,
    dashboard: dashboardFolder,
    program: ownProgram(),
    ownFolder: folder === usualFolder() ? undefined : folder,
    surroundings: {
      checkFolder: () => checkFolder(folder, false),
      syncedBy: () => findSyncProgram(folder),
      asTyped,
      lastErrors: () => lastErrors(folder)
    },
    startProcess,
    files: bookmarkFiles,
    web: fetches ? ('internet' as const) : undefined,
    inPlace,
    onBug: logBug(folder),
    // This process now has the lock, so the process that wrote the service file has ended.
    onLocked: () => removeServiceFile(folder)
  }
  for (const deadline = Date.now() + TIMEOUT_MS; ; ) {
    try {
      return { service: await openService(options) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (LOST.includes(error.code)) throw new LibraryLost(error, await findRecovery(folder))
      if (error.code !== 'library-in-use') throw error
      const running = readServiceFile(folder)
      if (running) return { running }
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

const LOST: ProblemCode[] = ['library-missing', 'library-damaged', 'not-a-library']

/** Thrown if the library cannot be opened. Names the backup that can replace it. */
export class LibraryLost extends Problem {
  readonly recovery: Recovery

  constructor({ code, message }: Problem, recovery: Recovery) {
    super(code, message)
    this.recovery = recovery
  }
}

/** Describes which bookmarks a recovery would restore, and which data would be missing. */
export function describeLoss({ backup }: Recovery): string {
  if (!backup) return 'There is no backup that can replace it.'
  const count = `${backup.bookmarks} ${backup.bookmarks === 1 ? 'bookmark' : 'bookmarks'}`
  return (
    `The newest good backup has ${count}, as of ${isoTime(backup.at)}. It lacks what was saved or changed ` +
    'after that. What is left of the current library is kept.'
  )
}

/** Finds the backup that can replace a library that cannot be opened. */
export async function findRecovery(data: string): Promise<Recovery> {
  const store = await import('../database/restore.ts')
  return withLock(data, () => store.findRecovery(data))
}

/**
 * Replaces the library of a data folder that no service has open with a backup.
 *
 * @throws Problem `library-in-use`, or a Problem of the backup; then the library is unchanged
 */
export async function restoreBackup(data: string, backup: string): Promise<RestoreReport> {
  const { restoreLibraryFile } = await import('../database/restore.ts')
  return withLock(data, () => restoreLibraryFile(join(data, 'library.sqlite'), backup, Date.now()))
}

/**
 * Replaces a library that cannot be opened with an empty one.
 *
 * @returns the folder with the old files; `null` if there were none
 * @throws Problem `library-in-use`, or `invalid` if the library can be opened
 */
export async function startEmptyLibrary(data: string): Promise<string | null> {
  const { startEmpty } = await import('../database/restore.ts')
  return withLock(data, () => startEmpty(data, Date.now()))
}

/**
 * Checks the library in a data folder, and repairs it if `repair` is true.
 *
 * @param shared true if a service has it open; then it is only read
 * @throws Problem `library-in-use` if another process has it open and `shared` is false
 */
export async function examineLibrary(data: string, { repair, shared }: { repair: boolean; shared: boolean }) {
  const { doctorLibrary } = await import('../store/doctor/doctor-library.ts')
  const examine = () => doctorLibrary(data, repair, Date.now(), shared)
  return shared ? examine() : withLock(data, examine)
}

async function withLock<T>(data: string, work: () => T | Promise<T>): Promise<T> {
  const { lockLibrary } = await import('../database/lock.ts')
  const unlock = lockLibrary(data)
  try {
    return await work()
  } finally {
    unlock()
  }
}

/** The reason that this computer's keychain cannot store secrets; `undefined` if it can. */
export async function keychainFault(): Promise<string | undefined> {
  const { openKeychain } = await import('../keychain/keychain.ts')
  const keychain = openKeychain(startProcess)
  return keychain.fault().finally(keychain.close)
}
