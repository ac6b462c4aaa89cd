import { release } from 'node:os'
import type { Surroundings } from './doctor.ts'
import type { Ports } from './ports.ts'

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
