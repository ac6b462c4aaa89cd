import { randomBytes } from 'node:crypto'
import type { KeychainOutcome, KeyRequest } from '../../contract/key.ts'
import { Problem } from '../../contract/problem.ts'
import { formatKey, keyPrefix } from '../../core/key-format.ts'
import { cleanTags } from '../bookmarks/bookmark-fields.ts'
import { cleanName, findOrganization } from '../organizations.ts'
import type { Ports } from '../ports.ts'
import { hashSecret } from './identify-key.ts'
import { forgetSecret, keepInFile, keepInKeychain, keyAccount } from './keep-secret.ts'

const DAY_MS = 86_400_000

/** A new key with its secret, which is never to be had from the library again. */
export interface CreatedKey {
  id: string
  key: string
  prefix: string
  keychain: KeychainOutcome
  /** Where the secret lies, when it was asked to be kept in a file. */
  file?: string
}

/**
 * Makes an API key. The key works whatever becomes of its secret; `keychain` says honestly where that is.
 *
 * @throws Problem `invalid` when the name shows nothing, `not-found` when the organization does not exist,
 *   `data-folder-unusable` when the file that was asked for cannot be written: then the key is revoked
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
  if (request.keyFile) {
    const file = await keepInFile(ports, { id, rowId, key }).catch(async () => {
      await ports.library.revokeKey(id, ports.now())
      throw new Problem(
        'data-folder-unusable',
        'Earmark cannot write the key’s file to the data folder. No key was created.'
      )
    })
    return { id, key, prefix, keychain: 'file', file }
  }
  return { id, key, prefix, keychain: await keepInKeychain(ports, { id, rowId, key }) }
}

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

/**
 * Ends a key: its next request is refused. Its secret is removed from the keychain and from its file too, where that
 * is possible.
 *
 * @throws Problem `not-found`
 */
export async function revokeKey(ports: Ports, id: string): Promise<void> {
  if (!(await ports.library.revokeKey(id, ports.now()))) {
    throw new Problem('not-found', `There is no key with the id ${id}.`)
  }
  await forgetSecret(ports, id)
}

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
