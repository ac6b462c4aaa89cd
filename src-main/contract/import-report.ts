import type { UndoReport } from './call.ts'
import type { EndedEarly } from './change.ts'

/** The records read so far; each is in exactly one of the three counts. */
interface ImportCounts {
  imported: number
  duplicate: number
  rejected: number
}

/** The progress of a running import. */
export interface ImportProgress extends ImportCounts {
  /** Bytes of the file that were read. Their records may not be saved yet. */
  read: number
  /** Records that were read. */
  found: number
}

/**
 * Returns how much of an import is done, from 0 to 1. A file is read before its records are saved, so each part counts:
 * of half a file whose records are half saved, a quarter is done.
 */
export function shareDone({ read, found, imported, duplicate, rejected }: ImportProgress, size: number): number {
  if (size === 0 || found === 0) return 0
  return Math.min(1, read / size) * Math.min(1, (imported + duplicate + rejected) / found)
}

/** Every record of the file is counted. */
export interface ImportReport extends ImportCounts, EndedEarly {
  /** The first rejected records; `unlisted` more were only counted. */
  rejects: Reject[]
  unlisted?: number
  /** Duplicates of a page that is in this file twice; the others were there before the import. Absent if there were none. */
  repeated?: number
  /**
   * The number of repeated records whose title or description was added to that bookmark. Absent if there were none, and in
   * a preview.
   */
  merged?: number
  /** Entries that are left out on purpose, by kind. They are in none of the three counts. */
  skipped?: Partial<Record<Skipped, number>>
  /** The character encodings that were used, other than UTF-8, such as `windows-1251`. */
  encodings?: string[]
  /** The kinds of data that are not kept, with the number of bookmarks that have them. */
  dropped?: Partial<Record<Dropped, number>>
  /** The import that can be undone; absent if nothing was written. */
  undo?: number
}

/** Result of undoing an import. */
export interface ImportUndone extends UndoReport, EndedEarly {}

/** The kinds of data that a bookmark has no room for, in words for the person who imports. */
export type Dropped =
  | 'cover pictures'
  | 'dates'
  | 'ends of long descriptions'
  | 'ends of long tags'
  | 'ends of long texts'
  | 'ends of long titles'
  | 'icons'
  | 'keywords'
  | 'other columns'
  | 'other files of the archive'
  | 'reading positions'
  | 'rows inside quotes'
  | 'tags beyond the 64th'
  | 'times of change'
  | 'unreadable characters'
  | 'user names and passwords in addresses'

/** The kinds of entries that are left out on purpose, in words for the person who imports. */
export type Skipped = 'bookmarks in the browser’s trash' | 'separators'

/** A record that could not be imported. */
interface Reject {
  /** Absent in JSON, whose parser reports no lines. */
  line?: number
  /** Its title or its address, if it has no line. */
  name?: string
  reason: string
  /** The file in the archive. */
  file?: string
}
