/** The thread that reads what may take long: hard searches, a page deep in a large library. It holds up nobody. */

import { openReadConnection, type ReadConnection } from '../connection.ts'
import { type CommonWords, commonWords } from '../search/common-words.ts'
import { serveCalls } from './serve-calls.ts'
import { slowReads } from './slow-reads.ts'

function threadReads(db: ReadConnection) {
  let common: CommonWords | undefined
  return {
    ...slowReads(db, () => common),
    /** Looks through the whole library as it is now. */
    isWhole: () => db.pragma('quick_check(1)', { simple: true }) === 'ok',
    commonWords(): CommonWords {
      common = commonWords(db)
      return common
    }
  }
}

export type ThreadReads = ReturnType<typeof threadReads>

serveCalls((file) => {
  const db = openReadConnection(file)
  return { calls: threadReads(db), close: () => db.close() }
})
