import type { Backup, RestoreReport } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { isoDay, isoTime } from '../core/iso-time.ts'
import { hashSecret } from './keys/credentials.ts'
import type { RunningImports } from './long-work.ts'
import type { Ports } from './ports.ts'

const DAY_MS = 86_400_000

/** Makes a backup that the owner requested. */
export async function backUpNow(ports: Ports): Promise<Backup> {
  const backup = await ports.library.backUp(`manual-${isoTime(ports.now()).replace(/[:.]/g, '-')}.sqlite`)
  await copyAway(ports).catch(() => {}) // the backup itself exists, and Settings shows why it was not copied
  return backup
}

/** Makes today’s and this week’s backup, if they are missing. */
export async function keepBackups(ports: Ports): Promise<void> {
  const now = ports.now()
  for (const name of [`daily-${isoDay(now)}.sqlite`, `weekly-${mondayOf(now)}.sqlite`]) {
    if ((await ports.library.listBackups()).some((backup) => backup.name === name)) continue
    await ports.library.backUp(name)
  }
  await copyAway(ports)
}

/**
 * Copies all backups to a folder, now and whenever a backup is made; `null` for no folder.
 *
 * @throws Problem `invalid` if the folder cannot be used, `disk-full` if there is no room; the setting is then
 *   unchanged
 */
export async function chooseBackupFolder(ports: Ports, folder: string | null): Promise<void> {
  if (folder !== null) await ports.library.copyBackups(folder)
  await ports.library.writeSettings({ backupFolder: folder })
}

/** Copies the backups that are missing in the owner’s folder, for example because the folder was not mounted. */
async function copyAway(ports: Ports): Promise<void> {
  const { backupFolder } = await ports.library.readSettings()
  if (backupFolder !== null) await ports.library.copyBackups(backupFolder)
}

/** Returns the Monday of a time’s week, in UTC. 1970 began on a Thursday. */
function mondayOf(time: number): string {
  const day = Math.floor(time / DAY_MS)
  return isoDay((day - ((day + 3) % 7)) * DAY_MS)
}

interface RestoreContext {
  ports: Ports
  imports: RunningImports
  restore(backup: string, session?: Uint8Array): Promise<RestoreReport>
}

/**
 * Replaces the library with one of its backups while it is served. The session that requests this stays logged in.
 *
 * @param secret the secret of that session; absent for a request of the command line
 * @throws Problem `not-found`, `taken` during an import or another restore, or a Problem of the backup
 */
export async function restoreBackup(
  { ports, imports, restore }: RestoreContext,
  name: string,
  secret?: string
): Promise<RestoreReport> {
  const exists = (await ports.library.listBackups()).some((backup) => backup.name === name)
  if (!exists) throw new Problem('not-found', 'This backup no longer exists.')
  imports.refuseWhileAny()
  return restore(name, secret === undefined ? undefined : hashSecret(secret))
}
