/**
 * Who owns a bookmark or a key: the profile (`null`) or the organization with this row id.
 */
export type Owner = number | null

/** Who asks, as established from a key, a session or the command line's token. It carries its owner's permissions. */
export interface Caller {
  /** `null` is the profile, which sees everything. An organization sees its own bookmarks and public ones. */
  owner: Owner
  readOnly: boolean
  /** The key that was presented; absent for a session and for the command line. */
  keyId?: number
  /** What everything it saves is tagged with. */
  tags?: string[]
  /** What the client calls itself, as far as it said. */
  client?: string | null
}

/** The owner at the dashboard or at the command line. */
export const PROFILE: Caller = { owner: null, readOnly: false }
