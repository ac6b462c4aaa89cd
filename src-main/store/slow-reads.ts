import { bookmarkExports } from './bookmark-exports.ts'
import { bookmarkLists } from './bookmark-lists.ts'
import { bookmarkReads } from './bookmark-reads.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { colorReads } from './color-reads.ts'
import type { CommonWords } from './common-words.ts'
import type { ReadConnection } from './connection.ts'
import { duplicateReads } from './duplicate-reads.ts'
import { originalReads } from './picture-store.ts'
import { tagReads } from './tag-store.ts'

/**
 * Everything that may take long in a large library.
 *
 * @param common what is known of the library's usual words by now
 */
export function slowReads(db: ReadConnection, common: () => CommonWords | undefined) {
  return {
    ...bookmarkReads(db, common),
    ...bookmarkLists(db),
    ...bookmarkExports(db),
    ...duplicateReads(db),
    ...colorReads(db),
    ...originalReads(db),
    ...tagReads(db),
    checkLibraryFile
  }
}
