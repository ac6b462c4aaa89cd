import type { UndoReport } from './call.ts'
import type { EndedEarly } from './long-work.ts'

/** The records read so far; each is in exactly one of the three counts. */
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
  /** Duplicates of a page that this file brought before; the others were there before the import. Absent where there were none. */
  repeated?: number
  /**
   * Of those repeated, how many had their title or description added to that bookmark. Absent where there were none, and
   * in a preview.
   */
  merged?: number
  /** The kinds of data that are not kept, with the number of bookmarks that have them. */
  dropped?: Partial<Record<Dropped, number>>
  /** The import that can be undone; absent where nothing was written. */
  undo?: number
  /** It was stopped before the end of the file; what was imported until then stays. */
  cancelled?: true
}

/** Result of undoing an import. */
export interface ImportUndone extends UndoReport, EndedEarly {}

/** The kinds of data that a bookmark has no room for, in words for the person who imports. */
export type Dropped =
  | 'authors'
  | 'cover pictures'
  | 'ends of long descriptions'
  | 'ends of long tags'
  | 'ends of long texts'
  | 'ends of long titles'
  | 'full texts'
  | 'icons'
  | 'keywords'
  | 'other files of the archive'
  | 'reading positions'
  | 'tags beyond the 64th'
  | 'times of change'
  | 'user names and passwords in addresses'

/** A record that could not be imported. */
interface Reject {
  line: number
  reason: string
  /** The file in the archive. */
  file?: string
}
