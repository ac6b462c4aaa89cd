import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { keyAccount } from './keep-secret.ts'

/**
 * A key's secret, from the keychain or the file it was put into when it was made.
 *
 * @throws Problem `not-found` when there is no such key, or its secret is not to be had
 */
export async function readKeySecret(ports: Ports, id: string): Promise<string> {
  const key = (await ports.library.listKeys()).find((one) => one.id === id)
  if (!key) throw new Problem('not-found', `There is no key with the id ${id}.`)
  if (key.keychain === 'shown-once') {
    throw new Problem('not-found', `The secret of the key ${key.name} was shown once and not stored. Create a new key.`)
  }
  const secret = await (key.keychain === 'file' ? ports.keyFiles.read(id) : ports.keychain.read(keyAccount(id)))
  if (secret === undefined) {
    const place = key.keychain === 'file' ? 'its file' : 'the keychain, which may be locked'
    throw new Problem('not-found', `The secret of the key ${key.name} could not be read from ${place}.`)
  }
  return secret
}
