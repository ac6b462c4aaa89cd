import type { Bookmark } from '../../contract/bookmark.ts'
import type { ExportPart, WalkChoice, WalkLength, WalkPart, WalkRange } from '../../contract/library-export.ts'
import type { Tag } from '../../contract/tag.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValue, readValues } from '../../database/sql.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import { countTags, countWalk, nextStep } from './walk.ts'

/** Returns some of the bookmarks a walk is for; each is as it was when its turn came. */
export function exportBookmarks(db: ReadConnection, range: WalkRange): ExportPart {
  const { rowIds, next } = nextStep(db, range)
  return { bookmarks: bookmarksAt(db, rowIds), next }
}

/** Returns the bookmarks with these ids, in the given order. Unknown ids are skipped. */
export function readBookmarks(db: ReadConnection, ids: string[]): Bookmark[] {
  const rowIds = readValues<number>(db)`
    SELECT b.id FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value ORDER BY one.key`
  return bookmarksAt(db, rowIds)
}

/** Returns some of the ids that words and filters let through, in the order of saving. */
export function matchingIds(db: ReadConnection, range: WalkRange): WalkPart {
  const { rowIds, next } = nextStep(db, range)
  const ids = readValues<string>(db)`
    SELECT b.public_id FROM json_each(${JSON.stringify(rowIds)}) one CROSS JOIN bookmarks b ON b.id = one.value ORDER BY one.key`
  return { ids, next }
}

export function countMatching(db: ReadConnection, choice: WalkChoice): WalkLength {
  return countWalk(db, choice)
}

/** Returns the tags of the bookmarks that words and filters let through, and how many of them have each. */
export function tagsOfMatching(db: ReadConnection, choice: WalkChoice): Tag[] {
  return [...countTags(db, choice)].map(([tag, bookmarks]) => {
    const name = readValue<string>(db)`SELECT name FROM tags WHERE id = ${tag}`
    return { name: name ?? '', bookmarks }
  })
}

/** Returns the tags of these bookmarks, and how many of them have each. */
export function tagsOf(db: ReadConnection, ids: string[]): Tag[] {
  return readRows<Tag>(db)`
    SELECT t.name, count(*) AS bookmarks
      FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value
    JOIN bookmark_tags bt ON bt.bookmark_id = b.id JOIN tags t ON t.id = bt.tag_id GROUP BY t.id`
}
