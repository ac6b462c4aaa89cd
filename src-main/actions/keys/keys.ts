import { randomBytes } from 'node:crypto'
import type { ApiKey, KeychainOutcome, KeyRequest } from '../../contract/key.ts'
import { Problem } from '../../contract/problem.ts'
import { formatKey, keyPrefix } from '../../core/key-format.ts'
import { cleanTags } from '../bookmarks/bookmark-fields.ts'
import { cleanName, findOrganization } from '../organizations.ts'
import type { Ports } from '../ports.ts'
import { hashSecret, keychainAccount, removeSecret, storeInFile, storeInKeychain } from './credentials.ts'

const DAY_MS = 86_400_000

/** A new key with its secret, which is not in the library. */
export interface CreatedKey {
  id: string
  key: string
  prefix: string
  keychain: KeychainOutcome
  /** The file with the secret, if one was requested. */
  file?: string
}

/**
 * Creates an API key, and stores its secret if possible. In the result, `keychain` is the place of the secret.
 *
 * @throws Problem `invalid` if the name is invisible, `not-found` if the organization does not exist,
 *   `data-folder-unusable` if the requested file cannot be written; the key is then revoked
 */
export async function createKey(ports: Ports, request: KeyRequest): Promise<CreatedKey> {
  const name = cleanName(request.name, 'A key')
  const organization = request.organization ? await findOrganization(ports, request.organization) : null
  const key = formatKey(randomBytes(32))
  const prefix = keyPrefix(key)
  const createdAt = ports.now()
  const { id, rowId } = await ports.library.createKey({
    name,
    prefix,
    hash: hashSecret(key),
    owner: organization?.rowId ?? null,
    readOnly: request.readOnly,
    tags: cleanTags(request.tags ?? []),
    createdAt,
    expiresAt: request.expires === undefined ? null : createdAt + request.expires * DAY_MS
  })
  const secret = { id, rowId, key }
  if (!request.keyFile) return { id, key, prefix, keychain: await storeInKeychain(ports, secret) }
  const file = await storeInFile(ports, secret).catch(async () => {
    await ports.library.revokeKey(id, ports.now())
    throw new Problem(
      'data-folder-unusable',
      'Earmark cannot write the key’s file to the data folder. No key was created.'
    )
  })
  return { id, key, prefix, keychain: 'file', file }
}

/**
 * Replaces a key with a new key of the same name, owner, rights, tags and expiry, and revokes the old key in the same
 * transaction. The new secret is stored where the old one is. If that fails, it is only returned.
 *
 * @throws Problem `not-found` if there is no such key or it is revoked, `invalid` if it has expired
 */
export async function rotateKey(ports: Ports, id: string): Promise<CreatedKey> {
  const old = await findKey(ports, id)
  if (!old) throw gone()
  const createdAt = ports.now()
  if (old.expiresAt !== null && old.expiresAt <= createdAt) {
    throw new Problem('invalid', `The key ${old.name} has expired. Create a new one instead.`)
  }
  const key = formatKey(randomBytes(32))
  const prefix = keyPrefix(key)
  const { name, owner, readOnly, tags, expiresAt } = old
  const replacement = { name, prefix, hash: hashSecret(key), owner, readOnly, tags, expiresAt, createdAt }
  const created = await ports.library.replaceKey(id, replacement)
  if (!created) throw gone()
  await removeSecret(ports, id)
  const secret = { ...created, key }
  const file = old.keychain === 'file' ? await storeInFile(ports, secret).catch(() => undefined) : undefined
  if (file !== undefined) return { id: created.id, key, prefix, keychain: 'file', file }
  const keychain = old.keychain === 'file' ? 'shown-once' : await storeInKeychain(ports, secret)
  return { id: created.id, key, prefix, keychain }
}

function gone(): Problem {
  return new Problem('not-found', 'There is no such key, or it is revoked.')
}

/**
 * Revokes a key, so that its next request is refused. Its secret is removed from the keychain and from its file too, if
 * possible.
 *
 * @throws Problem `not-found`
 */
export async function revokeKey(ports: Ports, id: string): Promise<void> {
  if (!(await ports.library.revokeKey(id, ports.now()))) {
    throw new Problem('not-found', `There is no key with the id ${id}.`)
  }
  await removeSecret(ports, id)
}

/**
 * Reads a key's secret from the keychain, or from its file.
 *
 * @throws Problem `not-found` if there is no such key, or its secret cannot be read
 */
export async function readKeySecret(ports: Ports, id: string): Promise<string> {
  const key = await findKey(ports, id)
  if (!key) throw new Problem('not-found', `There is no key with the id ${id}.`)
  if (key.keychain === 'shown-once') {
    throw new Problem('not-found', `The secret of the key ${key.name} was shown once and not stored. Create a new key.`)
  }
  const secret = await (key.keychain === 'file' ? ports.keyFiles.read(id) : ports.keychain.read(keychainAccount(id)))
  if (secret === undefined) {
    const place = key.keychain === 'file' ? 'its file' : 'the keychain, which may be locked'
    throw new Problem('not-found', `The secret of the key ${key.name} could not be read from ${place}.`)
  }
  return secret
}

async function findKey(ports: Ports, id: string): Promise<ApiKey | undefined> {
  return (await ports.library.listKeys()).find((key) => key.id === id)
}
