import type { Background } from '../actions/background/background-worker.ts'
import type { FolderKeeping } from '../actions/background/markdown-folder.ts'
import type { Syncing } from '../actions/background/syncing.ts'
import type { Watching } from '../actions/background/watching.ts'
import type { Surroundings } from '../actions/doctor.ts'
import type { OneTimeTokens } from '../actions/keys/credentials.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { RunningImports, RunningWork } from '../actions/long-work.ts'
import type { CopyUploads } from '../actions/page-copies.ts'
import type { TextPictures } from '../actions/pictures.ts'
import type { Ports } from '../actions/ports.ts'
import type { Changes } from '../contract/change.ts'
import type { RestoreReport } from '../contract/doctor.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import type { BookmarkFiles } from '../contract/ports.ts'
import type { Identification } from './identify.ts'

export interface ServerContext {
  ports: Ports
  changes: Changes
  identification: Identification
  loginLinks: OneTimeTokens
  /** Tickets for exports. Each allows one download by a link, which cannot send a header. */
  exportTickets: OneTimeTokens
  use: UseRecorder
  imports: RunningImports
  work: RunningWork
  textPictures: TextPictures
  copyUploads: CopyUploads
  /** Absent if Earmark fetches nothing from the web. */
  linkChecks: Background | undefined
  /** The bookmark files of other programs, if any can be read. */
  files: BookmarkFiles | undefined
  /** Absent if no file can be watched. */
  watching: Watching | undefined
  syncing: Syncing
  folderKeeping: FolderKeeping
  version: string
  /** The project’s site, with a slash at the end. */
  site: string
  /** The folder of the built dashboard. */
  dashboard: string
  /** The name of this machine that only the dashboard's browser knows. */
  dashboardHost: string
  /** Creates a link that opens the dashboard in a browser and logs in, once. */
  loginLink: () => string
  /** In ms since 1970. */
  startedAt: number
  program: OwnProgram
  /** The data folder, if it is not the platform's default. */
  ownFolder: string | undefined
  surroundings: Surroundings
  onBug: (error: unknown) => void
  /** Aborted when the service stops, or when a backup replaces the library. Streams and long changes then end. */
  closing: AbortSignal
  /**
   * Replaces the library with one of its backups, and this context with a new one. Other requests in progress end first;
   * new requests are refused until the restore has ended.
   *
   * @param session the hash of the only session that stays logged in
   * @throws Problem `taken` during another restore, or if a request does not end in time; or a Problem of the backup.
   *   The library is then unchanged, and is served again
   */
  restore: (backup: string, session?: Uint8Array) => Promise<RestoreReport>
}
