import type { Bookmark } from '../../contract/bookmark.ts'
import type { ExportPart, WalkChoice, WalkLength, WalkPart, WalkRange } from '../../contract/library-export.ts'
import type { Tag } from '../../contract/tag.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import { bookmarkWalk } from './walk.ts'

/** Walks along all that was saved, or what words and filters let through, and looks at many bookmarks at once. */
export const walks = readingFamily({ slow: bookmarkWalks })

function bookmarkWalks(db: ReadConnection) {
  const walk = bookmarkWalk(db)
  const { bookmarks: fetch } = bookmarkRows(db)
  const publicIds = db
    .prepare<[string], string>(
      'SELECT b.public_id FROM json_each(?) one CROSS JOIN bookmarks b ON b.id = one.value ORDER BY one.key'
    )
    .pluck()
  const rowIds = db
    .prepare<[string], number>(
      'SELECT b.id FROM json_each(?) one CROSS JOIN bookmarks b ON b.public_id = one.value ORDER BY one.key'
    )
    .pluck()
  const tagsOf = db.prepare<[string], Tag>(
    `SELECT t.name, count(*) AS bookmarks FROM json_each(?) one CROSS JOIN bookmarks b ON b.public_id = one.value
     JOIN bookmark_tags bt ON bt.bookmark_id = b.id JOIN tags t ON t.id = bt.tag_id GROUP BY t.id`
  )
  const nameOf = db.prepare<[number], string>('SELECT name FROM tags WHERE id = ?').pluck()

  return {
    /** Each bookmark is as it was when its turn came. */
    exportBookmarks(range: WalkRange): ExportPart {
      const { rowIds: some, next } = walk.step(range)
      return { bookmarks: fetch(some), next }
    },
    readBookmarks: (ids: string[]): Bookmark[] => fetch(rowIds.all(JSON.stringify(ids))),
    matchingIds(range: WalkRange): WalkPart {
      const { rowIds: some, next } = walk.step(range)
      return { ids: publicIds.all(JSON.stringify(some)), next }
    },
    countMatching: (choice: WalkChoice): WalkLength => walk.length(choice),
    tagsOfMatching: (choice: WalkChoice): Tag[] =>
      [...walk.tags(choice)].map(([tag, bookmarks]) => ({ name: nameOf.get(tag) ?? '', bookmarks })),
    tagsOf: (ids: string[]): Tag[] => tagsOf.all(JSON.stringify(ids))
  }
}
