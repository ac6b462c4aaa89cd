import { z } from 'zod'
import type { Owner } from './caller.ts'
import { TagText } from './tag.ts'

/**
 * Where a key's secret is stored. `stored`: in the keychain, from which it was read back. `shown-once`: nowhere.
 * `file`: in a file that only the owner can read.
 */
export const KeychainOutcome = z.enum(['stored', 'shown-once', 'file'])
export type KeychainOutcome = z.infer<typeof KeychainOutcome>

/** An API key in the library, without its secret. Times are in ms since 1970. */
export interface ApiKey {
  rowId: number
  id: string
  name: string
  /** The first characters of the secret, by which people recognize it. */
  prefix: string
  owner: Owner
  organization: { id: string; name: string } | null
  readOnly: boolean
  /** Added to everything the key saves. */
  tags: string[]
  keychain: KeychainOutcome
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  lastClient: string | null
  /** The day of its last call (`dayNumber`), and its number of calls on that day. */
  callsDay: number
  callsOnDay: number
}

export interface NewKey
  extends Pick<ApiKey, 'name' | 'prefix' | 'owner' | 'readOnly' | 'tags' | 'expiresAt' | 'createdAt'> {
  hash: Uint8Array
}

/** The row that a secret is checked against. */
export interface KeyCredential
  extends Pick<ApiKey, 'rowId' | 'owner' | 'readOnly' | 'tags' | 'expiresAt' | 'revokedAt'> {
  hash: Uint8Array
}

const MAX_KEY_TAGS = 5

/** Body of a request for a new key. `organization` is a name or an id; `expires` counts days from now. */
export const KeyRequest = z.strictObject({
  name: z.string().trim().min(1, 'A key needs a name.').max(80),
  organization: z.string().min(1).optional(),
  readOnly: z.boolean().default(false),
  /** Added to everything the key saves. */
  tags: z.array(TagText).max(MAX_KEY_TAGS, `A key gives at most ${MAX_KEY_TAGS} tags.`).optional(),
  expires: z.int().min(1).max(3650).optional(),
  keyFile: z.boolean().default(false)
})
export type KeyRequest = z.infer<typeof KeyRequest>
