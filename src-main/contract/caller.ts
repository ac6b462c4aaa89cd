/** The owner of a bookmark or a key: the profile (`null`) or the organization with this row id. */
export type Owner = number | null

/** The sender of a call, identified by a key, a session or the command line's token. It has its owner's rights. */
export interface Caller {
  /** `null` is the profile, which sees everything. An organization sees its own bookmarks and public ones. */
  owner: Owner
  readOnly: boolean
  /** Absent for a session and for the command line. */
  keyId?: number
  /** Tags that every bookmark gets that the caller saves. */
  tags?: string[]
  /** The client's name for itself, if it sent one. */
  client?: string | null
}

/** The caller at the dashboard and the command line. */
export const PROFILE: Caller = { owner: null, readOnly: false }
