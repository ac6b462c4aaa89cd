import type { LoginLinks } from '../actions/login-links.ts'
import type { Ports } from '../contract/ports.ts'
import type { Identification } from './identify.ts'

/** What the routes work with. */
export interface ServerContext {
  ports: Ports
  identification: Identification
  loginLinks: LoginLinks
  version: string
  /** The folder of the built dashboard. */
  dashboard: string
  onBug: (error: unknown) => void
}
