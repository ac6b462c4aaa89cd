import type { Backup, RestoreReport } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { isoDay, isoTime } from '../../core/iso-time.ts'
import { hashSecret } from '../keys/identify-key.ts'
import type { UseRecorder } from '../keys/record-use.ts'
import type { Ports } from '../ports.ts'
import type { RunningImports } from '../running-work.ts'

const DAY_MS = 86_400_000

/** How many of each kind are kept. Those from before a migration all stay. */
const KEPT = { daily: 7, weekly: 4, manual: 3, 'before-restore': 2 }

type Kind = Exclude<keyof typeof KEPT, 'before-restore'>

/** Backs the library up because the owner asked for it. */
export async function backUpNow(ports: Ports): Promise<Backup> {
  const made = await ports.library.backUp(nameOf('manual', isoTime(ports.now()).replace(/[:.]/g, '-')))
  await prune(ports, 'manual')
  await copyAway(ports).catch(() => {}) // the backup is made; Settings says what is wrong with the copies
  return made
}

/** Makes today's and this week's backup, where they are missing, and lets go of old ones. */
export async function keepBackups(ports: Ports): Promise<void> {
  const today = isoDay(ports.now())
  for (const [kind, mark] of [
    ['daily', today],
    ['weekly', mondayOf(ports.now())]
  ] satisfies [Kind, string][]) {
    const name = nameOf(kind, mark)
    const made = await ports.library.listBackups()
    if (made.some((one) => one.name === name)) continue
    await ports.library.backUp(name)
    await prune(ports, kind)
  }
  await copyAway(ports)
}

/**
 * Copies the backups there are to a folder, and says that each is from now on; `null` for nowhere.
 *
 * @throws Problem `invalid` when the folder cannot be used, `disk-full` when there is no room; all then stays as it was
 */
export async function chooseBackupFolder(ports: Ports, folder: string | null): Promise<void> {
  if (folder !== null) await ports.library.copyBackups(folder, KEPT)
  await ports.library.writeSettings({ backupFolder: folder })
}

/** Copies what is missing in the owner's folder, where there is one: also what it missed while it was away. */
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

/** The day its week began, in UTC. 1970 began on a Thursday. */
function mondayOf(time: number): string {
  const day = Math.floor(time / DAY_MS)
  return new Date((day - ((day + 3) % 7)) * DAY_MS).toISOString().slice(0, 10)
}

interface RestoreContext {
  ports: Ports
  use: UseRecorder
  imports: RunningImports
}

/**
 * Puts one of the backups in the place of the library while it is served. Whoever asked stays logged in.
 *
 * @param secret of the session that asks, where one does
 * @throws Problem `not-found`, `taken` while an import or another restore is under way, or what is wrong with the backup
 */
export async function restoreBackup(
  { ports, use, imports }: RestoreContext,
  name: string,
  secret?: string
): Promise<RestoreReport> {
  const { library } = ports
  const found = (await library.listBackups()).some((backup) => backup.name === name)
  if (!found) throw new Problem('not-found', 'This backup no longer exists.')
  imports.refuseWhileAny()
  // What was used is of keys that the backup may not know. A damaged library takes it no more.
  await use.flush().catch(() => {})
  imports.refuseWhileAny()
  return library.restoreBackup(name, ports.now(), secret === undefined ? undefined : hashSecret(secret))
}
