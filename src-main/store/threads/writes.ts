import { bookmarkEdits } from '../bookmarks/bookmark-edits.ts'
import { bookmarkWrites } from '../bookmarks/bookmark-writes.ts'
import { duplicateMerges } from '../bookmarks/duplicate-merges.ts'
import { importWrites } from '../bookmarks/import-store.ts'
import { pageKeyWrites } from '../bookmarks/page-keys.ts'
import { tagWrites } from '../bookmarks/tag-store.ts'
import { trashWrites } from '../bookmarks/trash-store.ts'
import { undoWrites } from '../bookmarks/undo-store.ts'
import { watchedWrites } from '../bookmarks/watched-pages.ts'
import { callWrites } from '../call-store.ts'
import type { WriteConnection } from '../connection.ts'
import { keyWrites } from '../key-store.ts'
import { organizationDeletion } from '../organization-deletion.ts'
import { organizationWrites } from '../organization-store.ts'
import { linkRoundWrites } from '../pages/link-rounds.ts'
import { linkWrites } from '../pages/link-store.ts'
import { pageWrites } from '../pages/page-store.ts'
import { pictureWrites } from '../pages/picture-store.ts'
import { indexMerge } from '../search/index-merge.ts'
import { sessionWrites } from '../session-store.ts'
import { settingWrites } from '../setting-store.ts'

/** Everything the writing thread can do. */
export function allWrites(db: WriteConnection) {
  return {
    ...bookmarkWrites(db),
    ...bookmarkEdits(db),
    ...importWrites(db),
    ...duplicateMerges(db),
    ...pageKeyWrites(db),
    ...pageWrites(db),
    ...linkWrites(db),
    ...linkRoundWrites(db),
    ...pictureWrites(db),
    ...trashWrites(db),
    ...undoWrites(db),
    ...watchedWrites(db),
    ...indexMerge(db),
    ...tagWrites(db),
    ...organizationWrites(db),
    ...organizationDeletion(db),
    ...keyWrites(db),
    ...callWrites(db),
    ...sessionWrites(db),
    ...settingWrites(db)
  }
}

export type Writes = ReturnType<typeof allWrites>
