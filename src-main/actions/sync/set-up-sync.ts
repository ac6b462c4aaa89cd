import { Problem } from '../../contract/problem.ts'
import type { SyncSetup, SyncState } from '../../contract/sync.ts'
import { isOnServer, type SyncPlace } from '../../contract/sync-place.ts'
import { backUpNow } from '../library/backups.ts'
import type { Ports } from '../ports.ts'

/**
 * Makes the library a device of a folder. The first device makes the code; the library of one that joins is backed up
 * before anything of the others comes in.
 *
 * @throws Problem `taken` when it is one already, `invalid` when the code is wrong, or is missing though the folder is in
 *   use, `not-found` when there is no such folder
 */
export async function setUpSync(
  ports: Ports,
  { folder, name, code, password }: SyncSetup
): Promise<{ device: string; code: string; backup: string | null }> {
  const { library } = ports
  const place = { folder, password }
  if (await library.readSync()) {
    throw new Problem('taken', 'This machine synchronizes already. Leave first: earmark sync leave')
  }
  const folders = await ports.syncFolders()
  if (code === undefined && (await folders.isInUse(place))) {
    throw new Problem(
      'invalid',
      'Another machine synchronizes through this folder already. Join it with the sync code, which that machine shows.'
    )
  }
  const own = code ?? folders.newCode()
  const device = folders.newDevice()
  const account = `sync-${device}`
  try {
    // Before anything is written into the folder, which nobody could open without it.
    await keep(ports, account, own)
    if (password !== undefined) await keep(ports, passwordOf(account), password)
    await folders.open(place, own, code === undefined)
    const backup = code === undefined ? null : (await backUpNow(ports)).path
    await library.startSync({ device, name, folder, account })
    return { device, code: own, backup }
  } catch (error) {
    await forget(ports, account)
    throw error
  }
}

/** The name under which the password of a server is kept, beside the code. */
function passwordOf(account: string): string {
  return `${account}-password`
}

async function keep({ keychain, keyFiles }: Ports, account: string, secret: string): Promise<void> {
  if (!(await keychain.store(account, secret))) await keyFiles.write(account, secret)
}

async function forget({ keychain, keyFiles }: Ports, account: string): Promise<void> {
  for (const one of [account, passwordOf(account)]) {
    await keychain.remove(one)
    await keyFiles.remove(one)
  }
}

/** Ends synchronization on this device. What it wrote stays in the folder, for the others. */
export async function leaveSync(ports: Ports): Promise<void> {
  const state = await ports.library.readSync()
  if (!state) throw notSetUp()
  await ports.library.stopSync()
  await forget(ports, state.account)
}

/** @throws Problem `not-found` when it is not set up, or the code is neither in the keychain nor in its file */
export async function syncCode({ library, keychain, keyFiles }: Ports): Promise<string> {
  const state = await library.readSync()
  if (!state) throw notSetUp()
  const code = (await keychain.read(state.account)) ?? (await keyFiles.read(state.account))
  if (code === undefined) {
    throw new Problem('not-found', 'The sync code cannot be read from the keychain. Unlock the keychain.')
  }
  return code
}

/**
 * Keeps another password for the server, once that accepts it.
 *
 * @throws Problem `not-found` when it is not set up, `invalid` when the server refuses the password
 */
export async function changeSyncPassword(ports: Ports, password: string): Promise<void> {
  const state = await ports.library.readSync()
  if (!state) throw notSetUp()
  await (await ports.syncFolders()).open({ folder: state.folder, password }, await syncCode(ports), false)
  await keep(ports, passwordOf(state.account), password)
}

/** Returns where the files of the others are. */
export async function syncPlace({ keychain, keyFiles }: Ports, { folder, account }: SyncState): Promise<SyncPlace> {
  if (!isOnServer(folder)) return { folder }
  const password = (await keychain.read(passwordOf(account))) ?? (await keyFiles.read(passwordOf(account)))
  return { folder, password }
}

export function notSetUp(): Problem {
  return new Problem('not-found', 'Synchronization is not set up on this machine.')
}
