import type { Background } from '../actions/background/background-worker.ts'
import type { Syncing } from '../actions/background/syncing.ts'
import type { Watching } from '../actions/background/watching.ts'
import type { Surroundings } from '../actions/doctor.ts'
import type { OwnTests } from '../actions/keys/own-tests.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { OneTimeTokens } from '../actions/keys/session.ts'
import type { RunningImports, RunningWork } from '../actions/long-work.ts'
import type { TextPictures } from '../actions/pictures.ts'
import type { Ports } from '../actions/ports.ts'
import type { Changes } from '../contract/change.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import type { Identification } from './identify.ts'

/** Everything the routes work with. */
export interface ServerContext {
  ports: Ports
  changes: Changes
  identification: Identification
  loginLinks: OneTimeTokens
  /** Each lets one file be fetched by a link, which can carry no header. */
  exportTickets: OneTimeTokens
  use: UseRecorder
  ownTests: OwnTests
  imports: RunningImports
  work: RunningWork
  textPictures: TextPictures
  /** Absent where nothing is to be fetched. */
  linkChecks: Background | undefined
  /** Absent where no file can be watched. */
  watching: Watching | undefined
  syncing: Syncing
  version: string
  /** The project’s site, with a slash at the end. */
  site: string
  /** The folder of the built dashboard. */
  dashboard: string
  /** The name of this machine that only the dashboard's browser knows. */
  dashboardHost: string
  /** A new link that opens the dashboard in a browser and logs in, once. */
  loginLink: () => string
  /** How this host's commands are started. */
  program: OwnProgram
  /** The data folder, where it is not the platform's own. */
  ownFolder: string | undefined
  surroundings: Surroundings
  onBug: (error: unknown) => void
  /** Takes what is to be done when the service stops, before its last answers are waited for. */
  onClose: (work: () => void) => void
}
