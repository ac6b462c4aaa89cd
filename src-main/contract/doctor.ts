/** The things the doctor examines. */
type Check =
  | 'folder'
  | 'library'
  | 'log'
  | 'integrity'
  | 'references'
  | 'index'
  | 'pictures'
  | 'leftovers'
  | 'backups'
  | 'port'
  | 'keychain'
  | 'sync'

/** All that was looked at. */
export interface DoctorReport {
  /** Nothing of it is a problem. */
  healthy: boolean
  findings: Finding[]
}

/** Result of one check. `unknown`: it could not be made. */
export interface Finding {
  check: Check
  state: 'ok' | 'repaired' | 'problem' | 'unknown'
  text: string
  /** How to mend it. */
  advice?: string
}

/** A copy of the whole library, in the folder `backups` beside it. */
export interface Backup {
  /** Its file's name. */
  name: string
  path: string
  /** When it was made, in milliseconds since 1970. */
  at: number
  bytes: number
}

/** Result of a restore: the library that the backup replaced. */
export interface RestoreReport {
  /** When the backup was last written, in milliseconds since 1970: what was saved since is only in what is kept. */
  from: number
  bookmarks: number
  /** Where the old library is: a backup, or if that could not be made, a folder; `null` if there was no library. */
  kept: string | null
  /** Whether the old library is among the backups. */
  keptAsBackup: boolean
  /** Set where the keys that were revoked since the backup could not be read: those work again. */
  keysUnknown?: true | undefined
}

/** The owner's next step after a restore with `keysUnknown`. */
export const KEYS_UNKNOWN =
  'Earmark could not read the old library, so keys that you revoked after this backup work again. Check your keys in ' +
  'Profile, API Keys.'

/** The backup that can replace a library that is missing, empty, foreign or damaged. */
export interface Recovery {
  /** The newest backup that is whole; `null` where there is none. */
  backup: { name: string; path: string; at: number; bookmarks: number } | null
}
