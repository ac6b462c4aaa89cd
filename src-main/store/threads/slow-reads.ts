import { bookmarkExports } from '../bookmarks/bookmark-exports.ts'
import { bookmarkLists } from '../bookmarks/bookmark-lists.ts'
import { duplicateReads } from '../bookmarks/duplicate-reads.ts'
import { tagReads } from '../bookmarks/tag-store.ts'
import type { ReadConnection } from '../connection.ts'
import { checkLibraryFile } from '../files/check-library-file.ts'
import { colorReads } from '../pages/color-reads.ts'
import { originalReads } from '../pages/picture-store.ts'
import { bookmarkReads } from '../search/bookmark-reads.ts'
import type { CommonWords } from '../search/common-words.ts'

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
