/** The owner of a bookmark or a key: the profile (`null`) or the organization with this row id. */
export type Owner = number | null

/**
 * The one who makes a call, known by a key, a session or the command line's token. A caller has its owner's
 * permissions.
 */
export interface Caller {
  /** `null` is the profile, which sees everything. An organization sees its own bookmarks and public ones. */
  owner: Owner
  readOnly: boolean
  /** The key that was presented; absent for a session and for the command line. */
  keyId?: number
  /** Tags for everything the caller saves. */
  tags?: string[]
  /** The client's own name, if it gave one. */
  client?: string | null
}

/** The owner at the dashboard or at the command line. */
export const PROFILE: Caller = { owner: null, readOnly: false }

/** Reads a header by its lower-case name, repeated ones joined as in HTTP; `undefined` if it was not sent. */
export type HeaderReader = (name: string) => string | undefined
