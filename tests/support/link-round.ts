import { join } from 'node:path'
import type { LinkRound } from '../../src-main/contract/link-check.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { linkRound } from '../../src-main/store/pages/link-rounds.ts'

/** The last round of link checks, as a library's file has it, whoever writes there meanwhile. */
export function roundIn(data: string): LinkRound | undefined {
  const db = openReadConnection(join(data, 'library.sqlite'))
  try {
    return linkRound(db)
  } finally {
    db.close()
  }
}
