/** What became of the records so far; each is in exactly one of the three counts. */
interface ImportCounts {
  imported: number
  duplicate: number
  rejected: number
}

/** How far a running import has come. */
export interface ImportProgress extends ImportCounts {
  /** Bytes of the file that were worked off. */
  read: number
}

/** Every record of the file is counted. */
export interface ImportReport extends ImportCounts {
  /** The first of them, with why; `unlisted` more were only counted. */
  rejects: Reject[]
  unlisted?: number
  /** The import that can be undone; absent where nothing was written. */
  undo?: number
  /** It was stopped before the end of the file; what was imported until then stays. */
  cancelled?: true
}

/** A record that could not be imported. */
interface Reject {
  line: number
  reason: string
  /** The file in the archive. */
  file?: string
}
