import { z } from 'zod'
import type { Owner } from './caller.ts'
import { TagText } from './tag.ts'

/** Where a key's secret went: read back from the keychain, shown once and kept nowhere, or in a 0600 file. */
export const KeychainOutcome = z.enum(['stored', 'shown-once', 'file'])
export type KeychainOutcome = z.infer<typeof KeychainOutcome>

/** An API key as the library holds it: everything but the secret. Times are milliseconds since 1970. */
export interface ApiKey {
  rowId: number
  id: string
  name: string
  /** The first characters of the secret, enough to recognise it by. */
  prefix: string
  owner: Owner
  organization: { id: string; name: string } | null
  readOnly: boolean
  /** Tags for everything the key saves. */
  tags: string[]
  keychain: KeychainOutcome
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  lastClient: string | null
  /** The day it last made a call, as `dayNumber` has it, and how many calls it made then. */
  callsDay: number
  callsOnDay: number
}

export interface NewKey {
  name: string
  prefix: string
  hash: Uint8Array
  owner: Owner
  readOnly: boolean
  tags: string[]
  expiresAt: number | null
  createdAt: number
}

/** The row a presented secret is checked against. */
export interface KeyCredential {
  rowId: number
  hash: Uint8Array
  owner: Owner
  readOnly: boolean
  tags: string[]
  expiresAt: number | null
  revokedAt: number | null
}

/** As many tags a key may give to what it saves. */
const MOST_KEY_TAGS = 5

/** Body of a request for a new key. `organization` is a name or an id; `expires` counts days from now. */
export const KeyRequest = z.strictObject({
  name: z.string().trim().min(1, 'A key needs a name.').max(80),
  organization: z.string().min(1).optional(),
  readOnly: z.boolean().default(false),
  /** Tags for everything the key saves. */
  tags: z.array(TagText).max(MOST_KEY_TAGS, `A key gives at most ${MOST_KEY_TAGS} tags.`).optional(),
  expires: z.int().min(1).max(3650).optional(),
  keyFile: z.boolean().default(false)
})
export type KeyRequest = z.infer<typeof KeyRequest>
