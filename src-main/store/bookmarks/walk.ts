import { PROFILE } from '../../contract/caller.ts'
import type { WalkChoice, WalkRange } from '../../contract/library-export.ts'
import { exceptOf, matchOf } from '../../search/match.ts'
import { hasFilter, parseQuery } from '../../search/query.ts'
import { type FilterPlan, planQuery } from '../../search/sql/filters.ts'
import { matchUnindexed } from '../../search/sql/unindexed-matches.ts'
import type { ReadConnection } from '../connection.ts'
import { statements } from '../statements.ts'

/** Rows given at once, and rows looked at for them, so that no step takes long whatever the filters let through. */
const MOST = 200
const WINDOW = 20_000

/** What a walk looks for. */
interface Sought {
  plan: FilterPlan
  /** A full-text expression. */
  match: string | undefined
  trash: WalkChoice['trash']
}

/** Where a step of a walk looks. */
interface Stretch {
  after: number
  upTo: number
  /** Those in it that the words match and the index does not hold yet. */
  later: number[]
}

/** Walks along the profile's bookmarks by their row ids, a part after the other, however many there are. */
export function bookmarkWalk(db: ReadConnection) {
  const prepared = statements(db)
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  const newestId = () => newest.get() ?? 0

  function soughtBy({ words, typing, trash, ...filter }: WalkChoice): Sought | undefined {
    const parsed = words === undefined ? undefined : parseQuery(words)
    const plan = planQuery(db, PROFILE, filter, parsed)
    const match = parsed && (matchOf(parsed, typing === true)?.texts ?? exceptOf(parsed))
    const means = parsed === undefined || match !== undefined || hasFilter(parsed)
    return !plan || !means ? undefined : { plan, match, trash }
  }

  function stretchFrom(after: number, { match }: Sought): Stretch {
    const upTo = after + WINDOW
    if (match === undefined) return { after, upTo, later: [] }
    const { ids, upTo: seen } = matchUnindexed(db, match, after, upTo)
    return { after, upTo: seen, later: ids }
  }

  /** Asks of the rows of a stretch, which are `bookmarks b`. */
  function ask<Row>(query: (where: string) => string, sought: Sought, { later, ...stretch }: Stretch): Row[] {
    const { plan, match, trash } = sought
    const conditions = [
      'b.id > @after AND b.id <= @upTo',
      TRASH[trash],
      plan.condition,
      match === undefined ? '' : MATCHING
    ]
    const where = conditions.filter((one) => one !== '').join(' AND ')
    return prepared(query(where))
      .raw()
      .all({ ...plan.values, ...stretch, match, later: JSON.stringify(later) }) as Row[]
  }

  function* stretchesOf(sought: Sought | undefined): Generator<[Sought, Stretch]> {
    const end = newestId()
    for (let after = 0; sought && after < end; ) {
      const stretch = stretchFrom(after, sought)
      yield [sought, stretch]
      after = stretch.upTo
    }
  }

  return {
    /** Row ids of the next of them, and where the one after begins; `next` is `null` at the end. */
    step({ after, until, ...choice }: WalkRange): { rowIds: number[]; next: number | null } {
      const sought = soughtBy(choice)
      if (!sought) return { rowIds: [], next: null }
      const stretch = stretchFrom(after, sought)
      const end = until ?? newestId()
      const rowIds = ask<[number]>(SOME, sought, { ...stretch, upTo: Math.min(stretch.upTo, end) }).map(([id]) => id)
      const last = rowIds.length === MOST ? (rowIds.at(-1) ?? end) : stretch.upTo
      return { rowIds, next: last >= end ? null : last }
    },
    /** How many there are, and the row id of the newest bookmark. */
    length(choice: WalkChoice): { total: number; until: number } {
      const until = newestId()
      let total = 0
      for (const at of stretchesOf(soughtBy(choice))) total += ask<[number]>(COUNT, ...at)[0]?.[0] ?? 0
      return { total, until }
    },
    /** How many of them have each tag, by its row id. */
    tags(choice: WalkChoice): Map<number, number> {
      const counts = new Map<number, number>()
      for (const at of stretchesOf(soughtBy(choice))) {
        for (const [tag, some] of ask<[number, number]>(TAGS, ...at)) counts.set(tag, (counts.get(tag) ?? 0) + some)
      }
      return counts
    }
  }
}

const SOME = (where: string) => `SELECT b.id FROM bookmarks b WHERE ${where} ORDER BY b.id LIMIT ${MOST}`

const COUNT = (where: string) => `SELECT count(*) FROM bookmarks b WHERE ${where}`

const TAGS = (where: string) =>
  `SELECT bt.tag_id, count(*) FROM bookmarks b JOIN bookmark_tags bt ON bt.bookmark_id = b.id
   WHERE ${where} GROUP BY bt.tag_id`

const TRASH: Record<WalkChoice['trash'], string> = {
  with: '',
  only: 'b.deleted_at IS NOT NULL',
  without: 'b.deleted_at IS NULL'
}

const MATCHING = `b.id IN (SELECT rowid FROM bookmark_texts
  WHERE bookmark_texts MATCH @match AND rowid > @after AND rowid <= @upTo UNION ALL SELECT value FROM json_each(@later))`
