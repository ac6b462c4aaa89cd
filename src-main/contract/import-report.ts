import type { UndoReport } from './call.ts'
import type { EndedEarly } from './change.ts'

/** The records read so far; each is in exactly one of the three counts. */
interface ImportCounts {
  imported: number
  duplicate: number
  rejected: number
}

export interface ImportProgress extends ImportCounts {
  /** Bytes of the file that were read. Their records may not be saved yet. */
  read: number
  found: number
}

/**
 * Returns how much of an import is done, from 0 to 1: the share of the file that was read, times the share of its
 * records that were saved.
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
  /**
   * Duplicates of an earlier record in the same file. All other duplicates were in the library before the import.
   * Absent if there were none.
   */
  repeated?: number
  /**
   * The number of repeated records whose title or description was added to that bookmark. Absent if there were none, and in
   * a preview.
   */
  merged?: number
  /** Duplicates whose highlights were added to a bookmark from before the import. Absent if there were none. */
  highlighted?: number
  /** Entries that are not imported and are no errors, by kind. None of the three counts includes them. */
  skipped?: Partial<Record<Skipped, number>>
  /** The character encodings that were used, other than UTF-8, such as `windows-1251`. */
  encodings?: string[]
  /** The kinds of data that are not stored, with the number of bookmarks that have them; of tags, the number of tags. */
  dropped?: Partial<Record<Dropped, number>>
  /** The id by which the import can be undone; absent if nothing was written. */
  undo?: number
}

export interface ImportUndone extends UndoReport, EndedEarly {}

/** The kinds of data that a bookmark cannot store, as the report shows them. */
export type Dropped =
  | 'cover pictures'
  | 'dates'
  | 'ends of long descriptions'
  | 'ends of long highlights'
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

/** The kinds of entries that are not imported and are no errors, as the report shows them. */
export type Skipped = 'bookmarks in the browser’s trash' | 'separators'

interface Reject {
  /** Absent in JSON, whose parser reports no lines. */
  line?: number
  /** The record’s title or address, if it has one. */
  name?: string
  reason: string
  /** The file in the archive that contains the record. */
  file?: string
}
