import type { ImportDraft } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import type {
  SyncField,
  SyncFolder,
  SyncJoin,
  SyncListing,
  SyncPlace,
  SyncPreview,
  SyncRecord,
  SyncSetup,
  SyncState
} from '../../contract/sync.ts'
import { isOnServer } from '../../contract/web-address.ts'
import { addressOf } from '../../core/address.ts'
import { laterField } from '../../core/sync.ts'
import { backUpNow } from '../backups.ts'
import type { Ports } from '../ports.ts'

/**
 * Makes the library a device of a sync folder. The first device creates the code. If a device joins others, its library
 * is backed up before anything is received.
 *
 * @throws Problem `taken` if it is set up already; `invalid` if the code is wrong, or is missing though the folder is
 *   in use; `not-found` if the folder does not exist
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
  const ownCode = code ?? folders.newCode()
  const device = folders.newDevice()
  const account = `sync-${device}`
  try {
    // The code is stored before anything is written into the folder, because without the code nobody could open the
    // folder.
    await keep(ports, account, ownCode)
    if (password !== undefined) await keep(ports, passwordAccount(account), password)
    await folders.open(place, ownCode, code === undefined)
    const backup = code === undefined ? null : (await backUpNow(ports)).path
    await library.startSync({ device, name, folder, account })
    return { device, code: ownCode, backup }
  } catch (error) {
    await forget(ports, account)
    throw error
  }
}

/**
 * Ends synchronization on this device. Its files stay in the folder, for the other devices.
 *
 * @throws Problem `not-found` if synchronization is not set up
 */
export async function leaveSync(ports: Ports): Promise<void> {
  const state = await ports.library.readSync()
  if (!state) throw notSetUp()
  await ports.library.stopSync()
  await forget(ports, state.account)
}

/** @throws Problem `not-found` if synchronization is not set up, or the code is neither in the keychain nor in its file */
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
 * Stores another password for the server, if the server accepts it.
 *
 * @throws Problem `not-found` if synchronization is not set up, `invalid` if the server refuses the password
 */
export async function changeSyncPassword(ports: Ports, password: string): Promise<void> {
  const state = await ports.library.readSync()
  if (!state) throw notSetUp()
  await (await ports.syncFolders()).open({ folder: state.folder, password }, await syncCode(ports), false)
  await keep(ports, passwordAccount(state.account), password)
}

export async function syncPlace({ keychain, keyFiles }: Ports, { folder, account }: SyncState): Promise<SyncPlace> {
  if (!isOnServer(folder)) return { folder }
  const name = passwordAccount(account)
  return { folder, password: (await keychain.read(name)) ?? (await keyFiles.read(name)) }
}

export function notSetUp(): Problem {
  return new Problem('not-found', 'Synchronization is not set up on this machine.')
}

function passwordAccount(account: string): string {
  return `${account}-password`
}

async function keep({ keychain, keyFiles }: Ports, account: string, secret: string): Promise<void> {
  if (!(await keychain.store(account, secret))) await keyFiles.write(account, secret)
}

async function forget({ keychain, keyFiles }: Ports, account: string): Promise<void> {
  for (const name of [account, passwordAccount(account)]) {
    await keychain.remove(name)
    await keyFiles.remove(name)
  }
}

/** A bookmark that other machines have. */
interface OtherBookmark {
  life: SyncField | undefined
  /** Whether this machine has it too. */
  isSame: boolean
}

/**
 * Counts the bookmarks that joining a folder would merge, without changing anything.
 *
 * @throws Problem `invalid` if the code is wrong, `not-found` if the folder does not exist
 */
export async function previewSync(ports: Ports, { code, ...place }: SyncJoin): Promise<SyncPreview> {
  const folder = await (await ports.syncFolders()).open(place, code, false)
  const others = new Map<string, OtherBookmark>()
  const aliases = new Set<string>()
  for (const listing of await folder.list()) {
    for await (const records of readFiles(folder, listing)) {
      const bookmarks = records.filter(({ kind }) => kind === 'bookmark')
      const added = bookmarks.filter(({ id, fields }) => fields.type && !others.has(id))
      const statuses = await ports.library.previewImport(added.map((record) => draftOf(record, ports.now())))
      for (const [index, { id }] of added.entries()) {
        others.set(id, { life: undefined, isSame: statuses[index] === 'existing' })
      }
      for (const { id, fields } of bookmarks) {
        const { life, isSame } = others.get(id) ?? { life: undefined, isSame: false }
        others.set(id, { life: fields.life ? laterField('life', life, fields.life) : life, isSame })
      }
      for (const { kind, id } of records) if (kind === 'alias') aliases.add(id)
    }
  }
  const living = [...others].filter(([id, { life }]) => life?.[0] == null && !aliases.has(id))
  const { all } = await ports.library.countByKind()
  return { here: all, there: living.length, same: living.filter(([, { isSame }]) => isSame).length }
}

/** Yields the records of a device’s snapshot and of the segments after it. */
async function* readFiles(folder: SyncFolder, listing: SyncListing): AsyncGenerator<SyncRecord[]> {
  const { device, segments, snapshot } = listing
  for (let part = 1; part <= (snapshot?.parts ?? 0); part += 1) {
    yield (await folder.readPart(listing, part))?.records ?? []
  }
  for (const number of segments) {
    if (number > (snapshot?.after ?? 0)) yield (await folder.read(device, number))?.records ?? []
  }
}

/** Returns a draft by which the library can find its own bookmark of the same page. */
function draftOf({ id, fields }: SyncRecord, now: number): ImportDraft {
  const url = fields.url?.[0]
  const address = typeof url === 'string' ? addressOf(url) : undefined
  const page = address && 'url' in address ? address : { url: null, domain: null, pageKey: null }
  return {
    id,
    type: page.url === null ? 'text' : 'link',
    ...page,
    title: '',
    description: '',
    content: id,
    tags: [],
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    owner: null,
    visibility: 'private'
  }
}
