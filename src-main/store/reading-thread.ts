/** The thread that reads what may take long: hard searches, a page deep in a large library. It holds up nobody. */
import { bookmarkExports } from './bookmark-exports.ts'
import { bookmarkLists } from './bookmark-lists.ts'
import { bookmarkReads } from './bookmark-reads.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { colorReads } from './color-reads.ts'
import { type CommonWords, commonWords } from './common-words.ts'
import { openReadConnection, type ReadConnection } from './connection.ts'
import { duplicateReads } from './duplicate-reads.ts'
import { serveCalls } from './serve-calls.ts'
import { tagReads } from './tag-store.ts'

/** Everything that may take long. */
function slowReads(db: ReadConnection) {
  let common: CommonWords | undefined
  return {
    ...bookmarkReads(db, () => common),
    ...bookmarkLists(db),
    ...bookmarkExports(db),
    ...duplicateReads(db),
    ...colorReads(db),
    ...tagReads(db),
    checkLibraryFile,
    /** Looks through the whole library as it is now. */
    isWhole: () => db.pragma('quick_check(1)', { simple: true }) === 'ok',
    commonWords(): CommonWords {
      common = commonWords(db)
      return common
    }
  }
}

export type SlowReads = ReturnType<typeof slowReads>

serveCalls((file) => {
  const db = openReadConnection(file)
  return { calls: slowReads(db), close: () => db.close() }
})
