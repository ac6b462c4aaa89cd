/** One record of an imported file. `createdAt` is in milliseconds since 1970, absent where the file does not say. */
export interface ImportedRecord {
  line: number
  url: string
  title: string
  description: string
  tags: string[]
  createdAt?: number
}

/** Every record of the file is in exactly one of the three counts. */
export interface ImportReport {
  imported: number
  duplicate: number
  rejected: number
  /** The first of them, with why; `unlisted` more were only counted. */
  rejects: { line: number; reason: string }[]
  unlisted?: number
}

/** A file format Earmark can read: text in, records out, with nothing held longer than a record needs. */
export interface ImportFormat {
  name: string
  /** Decides from the file's first characters, never from its name. */
  recognises(head: string): boolean
  reader(): RecordReader
}

export interface RecordReader {
  /** Takes the next piece of the file and gives the records that are complete. */
  write(text: string): ImportedRecord[]
  /** Gives what the file's end completes. */
  end(): ImportedRecord[]
}
