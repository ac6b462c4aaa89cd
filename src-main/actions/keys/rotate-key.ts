import { randomBytes } from 'node:crypto'
import { Problem } from '../../contract/problem.ts'
import { formatKey, keyPrefix } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'
import type { CreatedKey } from './create-key.ts'
import { hashSecret } from './hash-secret.ts'
import { forgetSecret, keepInFile, keepInKeychain } from './keep-secret.ts'

/**
 * Replaces a key by one with the same name, owner, rights, tags and day of expiry. The old one is revoked in the same step:
 * its next request is refused. The new secret goes where the old one was, or else is shown this once.
 *
 * @throws Problem `not-found` when there is no such key or it is revoked, `invalid` when its time is over
 */
export async function rotateKey(ports: Ports, id: string): Promise<CreatedKey> {
  const old = (await ports.library.listKeys()).find((one) => one.id === id)
  if (!old) throw gone()
  const createdAt = ports.now()
  if (old.expiresAt !== null && old.expiresAt <= createdAt) {
    throw new Problem('invalid', `The key ${old.name} has expired. Create a new one instead.`)
  }
  const key = formatKey(randomBytes(32))
  const prefix = keyPrefix(key)
  const { name, owner, readOnly, tags, expiresAt } = old
  const replaced = { name, prefix, hash: hashSecret(key), owner, readOnly, tags, expiresAt, createdAt }
  const made = await ports.library.replaceKey(id, replaced)
  if (!made) throw gone()
  await forgetSecret(ports, id)
  const secret = { ...made, key }
  // The old key is gone by now: where its place cannot be written, the new one is at least shown.
  const file = old.keychain === 'file' ? await keepInFile(ports, secret).catch(() => undefined) : undefined
  if (file !== undefined) return { id: made.id, key, prefix, keychain: 'file', file }
  const keychain = old.keychain === 'file' ? 'shown-once' : await keepInKeychain(ports, secret)
  return { id: made.id, key, prefix, keychain }
}

function gone(): Problem {
  return new Problem('not-found', 'There is no such key, or it is revoked.')
}
