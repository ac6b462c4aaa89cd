/** What is looked at. */
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

/** All that was looked at. */
export interface DoctorReport {
  /** Nothing of it is a problem. */
  healthy: boolean
  findings: Finding[]
}

/** What was found. `unknown`: it could not be looked at. */
export interface Finding {
  check: Check
  state: 'ok' | 'repaired' | 'problem' | 'unknown'
  text: string
  /** What to do about it. */
  advice?: string
}
