import { z } from 'zod'

/** Body and query of a request about a file that is watched, or is to be. */
export const WatchedFileRequest = z.strictObject({ file: z.string().trim().min(1).max(4096) })

/** A file that is imported again whenever it changes. Times are milliseconds since 1970. */
export interface WatchedFile {
  file: string
  /** When it was last imported since Earmark started. */
  lastAt: number | null
  /** Bookmarks that it brought since Earmark started. */
  imported: number
  /** Why it could not be imported the last time. */
  problem: string | null
}
