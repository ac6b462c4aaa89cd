/** A step forward, in one transaction that also moves `user_version` to `version`. Free of application code. */
export interface Migration {
  /** Numbered in tens. */
  version: number
  sql: string
}
