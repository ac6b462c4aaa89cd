/** A step to a newer schema, in one transaction that also sets `user_version`. It runs no application code. */
export interface Migration {
  /** Numbered in tens. */
  version: number
  sql: string
}

/** Parts of the step to 310, by topic. */
const INDEXING_310 = ``
const LINKS_310 = ``
const RULES_310 = ``
const UNDO_310 = ``

/** Steps to `SCHEMA_VERSION`, oldest first. A released step is never edited. */
export const MIGRATIONS: Migration[] = [
  { version: 310, sql: [INDEXING_310, LINKS_310, RULES_310, UNDO_310].join('\n') }
]
