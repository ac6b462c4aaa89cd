import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../contract/problem.ts'
import type { Service } from '../service.ts'
import { bookmarkFiles } from './bookmark-files.ts'
import { startProcess } from './child-process.ts'
import { lookAtFolder, syncsFolder, usualFolder } from './data-folder.ts'
import { withRecovery } from './library-lost.ts'
import { asTyped, dashboardFolder, homepage, ownProgram, version } from './own-program.ts'
import { readServiceFile, removeServiceFile, type ServiceFacts } from './service-file.ts'

/** Another command holds a library for well under this; a service holds it for good. */
const TIMEOUT_MS = 3000

/** Why this computer's keychain keeps no secret; `undefined` where it does. */
export async function keychainFault(): Promise<string | undefined> {
  return (await import('../service.ts')).keychainFault(startProcess)
}

/**
 * Opens the library in this process, or finds the service that has it.
 *
 * @param options `fetches` reads the pages of bookmarks while it serves; `inPlace` starts no threads: for what is short
 * @throws {LibraryLost} when the library is missing, damaged or foreign
 * @throws Problem when it is from a newer Earmark, or a program holds it without serving
 */
export async function openOrFind(
  folder: string,
  options: { fetches?: boolean; inPlace?: boolean } = {}
): Promise<{ service: Service } | { running: ServiceFacts }> {
  // Most of the program, and most of what it takes to start: only who needs it loads it.
  const [{ openService }, { logBug, logSlow }] = await Promise.all([import('../service.ts'), import('./log.ts')])
  for (const deadline = Date.now() + TIMEOUT_MS; ; ) {
    try {
      // Once the lock is ours, whoever wrote the file is gone.
      const onLocked = () => removeServiceFile(folder)
      const onBug = logBug(folder)
      const web = options.fetches ? 'internet' : undefined
      const program = ownProgram()
      const ownFolder = folder === usualFolder() ? undefined : folder
      const surroundings = {
        lookAtFolder: () => lookAtFolder(folder, false),
        syncedBy: () => syncsFolder(folder),
        asTyped
      }
      const own = { version, site: homepage, dashboard: dashboardFolder, program, ownFolder, surroundings }
      const slow = logSlow(folder)
      const facts = { ...own, data: folder, onBug, slow, onLocked, startProcess, web, files: bookmarkFiles } as const
      return { service: await openService({ ...facts, inPlace: options.inPlace ?? false }) }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'library-in-use') throw await withRecovery(error, folder)
      const running = readServiceFile(folder)
      if (running) return { running }
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}
