import type { Duplicates } from '../contract/duplicate.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import type { ReadConnection } from './connection.ts'
import { pageKeysSettled } from './page-keys.ts'

/** Bookmarks of a group that are shown; once these are merged the others follow. */
const MOST_IN_GROUP = 50

/** Finds bookmarks of nearly the same page. All groups are counted in one walk along the index. */
export function duplicateReads(db: ReadConnection) {
  const { bookmarks } = bookmarkRows(db)
  const settled = pageKeysSettled(db)
  const groups = db
    .prepare(
      `SELECT ifnull(organization_id, 0), near_page FROM bookmarks INDEXED BY bookmarks_by_near_page
       WHERE near_page IS NOT NULL AND deleted_at IS NULL
       GROUP BY ifnull(organization_id, 0), near_page HAVING count(*) > 1 ORDER BY max(id) DESC`
    )
    .raw()
  const members = db
    .prepare(
      `SELECT id FROM bookmarks INDEXED BY bookmarks_by_near_page
       WHERE ifnull(organization_id, 0) = ? AND near_page = ? AND deleted_at IS NULL ORDER BY id LIMIT ?`
    )
    .pluck()
  return {
    findDuplicates(page: number, limit: number): Duplicates {
      const all = groups.all() as [number, number][]
      const some = all.slice((page - 1) * limit, page * limit)
      return {
        total: all.length,
        settled: settled(),
        groups: some.map((group) => bookmarks(members.all(...group, MOST_IN_GROUP) as number[]))
      }
    }
  }
}
