import type { Background } from '../actions/background/background-worker.ts'
import type { Syncing } from '../actions/background/syncing.ts'
import type { Watching } from '../actions/background/watching.ts'
import type { Surroundings } from '../actions/doctor.ts'
import type { OneTimeTokens } from '../actions/keys/credentials.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { RunningImports, RunningWork } from '../actions/long-work.ts'
import type { TextPictures } from '../actions/pictures.ts'
import type { Ports } from '../actions/ports.ts'
import type { Changes } from '../contract/change.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import type { Identification } from './identify.ts'

export interface ServerContext {
  ports: Ports
  changes: Changes
  identification: Identification
  loginLinks: OneTimeTokens
  /** Each allows one download by a link, which cannot send a header. */
  exportTickets: OneTimeTokens
  use: UseRecorder
  imports: RunningImports
  work: RunningWork
  textPictures: TextPictures
  /** Absent if nothing is fetched. */
  linkChecks: Background | undefined
  /** Absent if no file can be watched. */
  watching: Watching | undefined
  syncing: Syncing
  version: string
  /** The project’s site, with a slash at the end. */
  site: string
  /** The folder of the built dashboard. */
  dashboard: string
  /** The name of this machine that only the dashboard's browser knows. */
  dashboardHost: string
  /** Creates a link that opens the dashboard in a browser and logs in, once. */
  loginLink: () => string
  program: OwnProgram
  /** The data folder, if it is not the platform's default. */
  ownFolder: string | undefined
  surroundings: Surroundings
  onBug: (error: unknown) => void
  /** Adds work for when the service stops, before it waits for its last answers. */
  onClose: (work: () => void) => void
}
