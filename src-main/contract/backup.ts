/** A copy of the whole library, in the folder `backups` beside it. */
export interface Backup {
  /** Its file's name. */
  name: string
  path: string
  /** When it was made, in milliseconds since 1970. */
  at: number
  bytes: number
}

/** What became of a library that a backup took the place of. */
export interface RestoreReport {
  /** When the backup was last written, in milliseconds since 1970: what was saved since is only in what is kept. */
  from: number
  bookmarks: number
  /** The folder with the files that were in its place; `null` where there were none. */
  kept: string | null
}

/** What can take the place of a library that is missing, empty, foreign or damaged. */
export interface Recovery {
  /** The newest backup that is whole; `null` where there is none. */
  backup: { name: string; path: string; at: number; bookmarks: number } | null
}
