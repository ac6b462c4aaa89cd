/** Every record of the file is in exactly one of the three counts. */
export interface ImportReport {
  imported: number
  duplicate: number
  rejected: number
  /** The first of them, with why; `unlisted` more were only counted. */
  rejects: Reject[]
  unlisted?: number
  /** The import that can be undone; absent where nothing was written. */
  undo?: number
}

/** A record that could not be imported. */
interface Reject {
  line: number
  reason: string
  /** The file in the archive. */
  file?: string
}
