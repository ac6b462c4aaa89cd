import { bookmarkEdits } from './bookmark-edits.ts'
import { bookmarkWrites } from './bookmark-writes.ts'
import { callWrites } from './call-store.ts'
import type { WriteConnection } from './connection.ts'
import { duplicateMerges } from './duplicate-merges.ts'
import { importWrites } from './import-store.ts'
import { indexMerge } from './index-merge.ts'
import { keyWrites } from './key-store.ts'
import { linkRoundWrites } from './link-rounds.ts'
import { linkWrites } from './link-store.ts'
import { organizationDeletion } from './organization-deletion.ts'
import { organizationWrites } from './organization-store.ts'
import { pageKeyWrites } from './page-keys.ts'
import { pageWrites } from './page-store.ts'
import { pictureWrites } from './picture-store.ts'
import { sessionWrites } from './session-store.ts'
import { settingWrites } from './setting-store.ts'
import { tagWrites } from './tag-store.ts'
import { trashWrites } from './trash-store.ts'
import { undoWrites } from './undo-store.ts'
import { watchedWrites } from './watched-pages.ts'

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
