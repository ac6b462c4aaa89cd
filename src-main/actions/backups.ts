import type { Backup, RestoreReport } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { isoDay, isoTime } from '../core/iso-time.ts'
import { hashSecret } from './keys/credentials.ts'
import type { UseRecorder } from './keys/record-use.ts'
import type { RunningImports } from './long-work.ts'
import type { Ports } from './ports.ts'

const DAY_MS = 86_400_000

/** Number of backups of each kind. All backups from before a migration stay. */
const KEPT = { daily: 7, weekly: 4, manual: 3, 'before-restore': 2 }

type Kind = Exclude<keyof typeof KEPT, 'before-restore'>

/** Makes a backup that the owner asked for. */
export async function backUpNow(ports: Ports): Promise<Backup> {
  const made = await ports.library.backUp(nameOf('manual', isoTime(ports.now()).replace(/[:.]/g, '-')))
  await prune(ports, 'manual')
  await copyAway(ports).catch(() => {}) // the backup exists; Settings shows what is wrong with the copies
  return made
}

/** Makes today’s and this week’s backup, if they are missing, and removes old ones. */
export async function keepBackups(ports: Ports): Promise<void> {
  const kinds: [Kind, day: string][] = [
    ['daily', isoDay(ports.now())],
    ['weekly', mondayOf(ports.now())]
  ]
  for (const [kind, day] of kinds) {
    const name = nameOf(kind, day)
    if ((await ports.library.listBackups()).some((backup) => backup.name === name)) continue
    await ports.library.backUp(name)
    await prune(ports, kind)
  }
  await copyAway(ports)
}

/**
 * Copies all backups to a folder, now and whenever one is made; `null` for nowhere.
 *
 * @throws Problem `invalid` if the folder cannot be used, `disk-full` if there is no room; the setting then stays as it was
 */
export async function chooseBackupFolder(ports: Ports, folder: string | null): Promise<void> {
  if (folder !== null) await ports.library.copyBackups(folder, KEPT)
  await ports.library.writeSettings({ backupFolder: folder })
}

/** Copies the backups that are missing in the owner’s folder, for example because it was not mounted. */
async function copyAway(ports: Ports): Promise<void> {
  const { backupFolder } = await ports.library.readSettings()
  if (backupFolder !== null) await ports.library.copyBackups(backupFolder, KEPT)
}

async function prune(ports: Ports, kind: Kind): Promise<void> {
  const names = (await ports.library.listBackups())
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${kind}-`))
  for (const name of names.sort().toReversed().slice(KEPT[kind])) await ports.library.removeBackup(name)
}

function nameOf(kind: Kind, mark: string): string {
  return `${kind}-${mark}.sqlite`
}

/** Returns the Monday of a time’s week, in UTC. 1970 began on a Thursday. */
function mondayOf(time: number): string {
  const day = Math.floor(time / DAY_MS)
  return isoDay((day - ((day + 3) % 7)) * DAY_MS)
}

interface RestoreContext {
  ports: Ports
  use: UseRecorder
  imports: RunningImports
}

/**
 * Replaces the library with one of its backups while it is served. The session that asks for it stays logged in.
 *
 * @param secret of that session; absent if the command line asks
 * @throws Problem `not-found`, `taken` during an import or another restore, or what is wrong with the backup
 */
export async function restoreBackup(
  { ports, use, imports }: RestoreContext,
  name: string,
  secret?: string
): Promise<RestoreReport> {
  const { library } = ports
  const exists = (await library.listBackups()).some((backup) => backup.name === name)
  if (!exists) throw new Problem('not-found', 'This backup no longer exists.')
  imports.refuseWhileAny()
  // The backup may not know the keys that were used. A damaged library can no longer be written.
  await use.flush().catch(() => {})
  imports.refuseWhileAny()
  return library.restoreBackup(name, ports.now(), secret === undefined ? undefined : hashSecret(secret))
}
