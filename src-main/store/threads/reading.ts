import { type CommonWords, commonWords } from '../../search/sql/common-words.ts'
import { openReadConnection, type ReadConnection } from '../connection.ts'
import { slowReads } from '../families.ts'
import { checkLibraryFile, isWhole } from '../files/check-library-file.ts'
import type { Work } from './work.ts'

function threadReads(db: ReadConnection) {
  let common: CommonWords | undefined
  return {
    ...slowReads(db, () => common),
    checkLibraryFile,
    /** Looks through the whole library as it is now. */
    isWhole: () => isWhole(db),
    commonWords(): CommonWords {
      common = commonWords(db)
      return common
    }
  }
}

export type ThreadReads = ReturnType<typeof threadReads>

/** Opens a connection for what may take long: hard searches, a page deep in a large library. */
export function openReading(file: string): Work {
  const db = openReadConnection(file)
  return { calls: threadReads(db), close: () => db.close() }
}
