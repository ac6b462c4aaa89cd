/** The things the doctor examines. */
type Check =
  | 'folder'
  | 'library'
  | 'log'
  | 'integrity'
  | 'references'
  | 'index'
  | 'pictures'
  | 'leftovers'
  | 'backups'
  | 'port'
  | 'keychain'
  | 'sync'

/** All that was looked at. */
export interface DoctorReport {
  /** Nothing of it is a problem. */
  healthy: boolean
  findings: Finding[]
}

/** Result of one check. `unknown`: it could not be made. */
export interface Finding {
  check: Check
  state: 'ok' | 'repaired' | 'problem' | 'unknown'
  text: string
  /** How to mend it. */
  advice?: string
}
