import type { Changes } from '../../contract/change.ts'
import type { BookmarkFiles } from '../../contract/ports.ts'
import { createHousekeeping } from '../housekeeping.ts'
import { createLinkChecks } from '../link-checks.ts'
import { createRunningImports } from '../long-work.ts'
import { createColoring } from '../pictures.ts'
import type { Ports } from '../ports.ts'
import { createDescribing } from './describing.ts'
import { createSyncing } from './syncing.ts'
import { createWatching } from './watching.ts'

/**
 * Creates the workers that run while a service serves. The API also calls some of them, which are returned by name.
 *
 * @param files the bookmark files that can be watched, if any
 */
export function createWorkers(
  ports: Ports,
  changes: Changes,
  files: BookmarkFiles | undefined,
  onBug: (error: unknown) => void
) {
  const { web } = ports
  const imports = createRunningImports()
  const linkChecks = web && createLinkChecks({ ...ports, web }, changes, onBug)
  const watching = files && createWatching({ ...ports, files }, { imports, changes, onBug })
  const syncing = createSyncing(ports, changes, onBug)
  const workers = [
    createHousekeeping(ports, onBug),
    createColoring(ports, changes, onBug),
    web && createDescribing({ ...ports, web }, changes, onBug),
    linkChecks,
    watching,
    syncing
  ].filter((worker) => worker !== undefined)
  return { imports, linkChecks, watching, syncing, workers }
}
