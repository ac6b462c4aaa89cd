import type { KeychainOutcome } from '../../contract/key.ts'
import type { Ports } from '../ports.ts'

/** A new key's secret, on its way to where it is kept. */
export interface NewSecret {
  id: string
  rowId: number
  key: string
}

/** Puts a new key's secret into the keychain, and says honestly whether it is there. */
export async function keepInKeychain(ports: Ports, { id, rowId, key }: NewSecret): Promise<KeychainOutcome> {
  if (!(await ports.keychain.store(keyAccount(id), key))) return 'shown-once'
  await ports.library.setKeychainOutcome(rowId, 'stored')
  return 'stored'
}

/**
 * Puts a new key's secret into a file only the owner's account can read.
 *
 * @returns where that is
 * @throws whatever the file system says
 */
export async function keepInFile(ports: Ports, { id, rowId, key }: NewSecret): Promise<string> {
  const file = await ports.keyFiles.write(id, key)
  await ports.library.setKeychainOutcome(rowId, 'file')
  return file
}

/** Removes a key's secret from everywhere it may be kept, where that is possible. */
export async function forgetSecret(ports: Ports, id: string): Promise<void> {
  await Promise.all([ports.keychain.remove(keyAccount(id)), ports.keyFiles.remove(id)])
}

/** The name a key's secret has in the keychain. */
export function keyAccount(id: string): string {
  return `api-key:${id}`
}
