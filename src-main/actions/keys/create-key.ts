import { randomBytes } from 'node:crypto'
import type { KeychainOutcome, KeyRequest } from '../../contract/key.ts'
import { Problem } from '../../contract/problem.ts'
import { formatKey, keyPrefix } from '../../core/key-format.ts'
import { cleanTags } from '../bookmarks/clean-tags.ts'
import { cleanName } from '../organizations/clean-name.ts'
import { findOrganization } from '../organizations/find-organization.ts'
import type { Ports } from '../ports.ts'
import { hashSecret } from './hash-secret.ts'
import { keepInFile, keepInKeychain } from './keep-secret.ts'

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
