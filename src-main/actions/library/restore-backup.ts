import type { RestoreReport } from '../../contract/backup.ts'
import { Problem } from '../../contract/problem.ts'
import { hashSecret } from '../keys/hash-secret.ts'
import type { UseRecorder } from '../keys/record-use.ts'
import type { Ports } from '../ports.ts'
import type { RunningImports } from '../running-work.ts'

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
