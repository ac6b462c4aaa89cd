import { PROFILE } from '../../contract/caller.ts'
import type { ExportPart, ExportRange } from '../../contract/library-export.ts'
import { hasFilter, marksOfBoth, parseQuery } from '../../core/parse-query.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { planFilters } from '../search/filter-plan.ts'
import { exceptOf, matchOf } from '../search/match.ts'
import { unindexedMatches } from '../search/unindexed-matches.ts'
import { statements } from '../statements.ts'
import { bookmarkRows } from './bookmark-rows.ts'

/** Bookmarks read at once, and rows looked at for them, so that no step takes long whatever the filters let through. */
const MOST = 200
const WINDOW = 20_000

/** Exports. */
export const exports = readingFamily({ slow: bookmarkExports })

/** Reads the profile's bookmarks by their row ids, a part after the other, however many there are. */
function bookmarkExports(db: ReadConnection) {
  const prepared = statements(db)
  const filters = planFilters(db)
  const { bookmarks: fetch } = bookmarkRows(db)
  const unindexed = unindexedMatches(db)
  const newest = db.prepare('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()

  return {
    /** Each bookmark is as it was when its turn came. Words are taken as they are, without any guess. */
    exportBookmarks({ words, trash, after, ...filter }: ExportRange): ExportPart {
      const parsed = words === undefined ? undefined : parseQuery(words)
      const plan = filters(
        PROFILE,
        [{ ...filter, is: marksOfBoth(filter.is, parsed?.is) }, ...(parsed?.filters ?? [])],
        parsed?.without
      )
      const match = parsed && (matchOf(parsed, false)?.texts ?? exceptOf(parsed))
      const means = parsed === undefined || match !== undefined || hasFilter(parsed)
      if (plan === 'nothing' || !means) return { bookmarks: [], next: null }
      const later =
        match === undefined ? { ids: [], upTo: after + WINDOW } : unindexed.matching(match, after, after + WINDOW)
      const { upTo } = later
      const conditions = [
        'b.id > @after AND b.id <= @upTo',
        ...(trash ? [] : ['b.deleted_at IS NULL']),
        ...(plan.all === '' ? [] : [plan.all]),
        ...(match === undefined ? [] : [MATCHING])
      ]
      const ids = prepared(`SELECT b.id FROM bookmarks b WHERE ${conditions.join(' AND ')} ORDER BY b.id LIMIT ${MOST}`)
        .pluck()
        .all({
          ...plan.allValues,
          after,
          upTo,
          match,
          later: JSON.stringify(later.ids)
        }) as number[]
      const last = ids.length === MOST ? (ids.at(-1) as number) : upTo
      return { bookmarks: fetch(ids), next: last >= (newest.get() as number) ? null : last }
    }
  }
}

const MATCHING = `b.id IN (SELECT rowid FROM bookmark_texts
  WHERE bookmark_texts MATCH @match AND rowid > @after AND rowid <= @upTo UNION ALL SELECT value FROM json_each(@later))`
