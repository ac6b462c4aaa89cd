import type { ImportDraft } from '../../contract/library-import.ts'
import type { ReadConnection } from '../connection.ts'

/** What can be asked about the trash. */
export function trashLookups(db: ReadConnection) {
  const find = db
    .prepare<[number, string], number>(
      `SELECT EXISTS (SELECT 1 FROM bookmarks
         WHERE ifnull(organization_id, 0) = ? AND page_key = ? AND deleted_at IS NOT NULL)`
    )
    .pluck()
  return {
    areInTrash: (drafts: Pick<ImportDraft, 'owner' | 'pageKey'>[]): boolean[] =>
      drafts.map(({ owner, pageKey }) => pageKey !== null && find.get(owner ?? 0, pageKey) === 1)
  }
}
