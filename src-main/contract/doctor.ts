export interface DoctorReport {
  healthy: boolean
  findings: Finding[]
}

/** Result of one check. `unknown`: the check could not be made. */
export interface Finding {
  check: Check
  state: 'ok' | 'repaired' | 'problem' | 'unknown'
  text: string
  /** How to fix it. */
  advice?: string
}

type Check =
  | 'folder'
  | 'library'
  | 'log'
  | 'integrity'
  | 'references'
  | 'index'
  | 'pictures'
  | 'copies'
  | 'leftovers'
  | 'backups'
  | 'port'
  | 'keychain'
  | 'sync'

/** A copy of the whole library, in the data folder’s `backups`. Times are milliseconds since 1970. */
export interface Backup {
  name: string
  path: string
  at: number
  bytes: number
}

export interface RestoreReport {
  /** When the backup was last written. Bookmarks saved later are only in `kept`. */
  from: number
  bookmarks: number
  /** Path of the old library: a backup, or a folder with its files if no backup could be made; `null` for none. */
  kept: string | null
  keptAsBackup: boolean
  /** Set if the old library’s revoked keys could not be read. Keys that are valid in the backup then work again. */
  keysUnknown?: true | undefined
}

/** The owner’s next step after a restore with `keysUnknown`. */
export const KEYS_UNKNOWN =
  'Earmark could not read the old library, so keys that you revoked after this backup work again. Check your keys in ' +
  'Profile, API Keys.'

/** The newest undamaged backup, which can replace a library that is missing, empty, foreign or damaged. */
export interface Recovery {
  backup: { name: string; path: string; at: number; bookmarks: number } | null
}

/** An unexpected error, without its message, which may quote a bookmark. */
export interface LoggedError {
  /** As ISO 8601. */
  at: string
  /** Its class, and its code if it has one. */
  name: string
  /** Functions of the call stack, with file names and line numbers, innermost first. */
  stack: string[]
}
