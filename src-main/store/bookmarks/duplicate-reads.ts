import { type DuplicateReason, type Duplicates, MOST_IN_GROUP } from '../../contract/duplicate.ts'
import { nearPageHash } from '../../core/near-page.ts'
import { pageKey } from '../../core/page-key.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readTuples, readValues } from '../../database/sql.ts'
import { anyUnindexed } from '../../search/sql/index-queue.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import { pageKeysAreCurrent } from './page-keys.ts'

/** Near pages of one owner that are one page, and why. */
interface Group {
  owner: number
  pages: number[]
  why: DuplicateReason
  /** Row id of the bookmark that was saved last. */
  newest: number
}

/** A link between two near pages: a bookmark of one says it is the other. */
interface Tie {
  owner: number
  from: number
  to: number
  why: DuplicateReason
}

/**
 * Finds bookmarks of nearly the same page, and of pages that say they are the same. The first are counted in one walk
 * along their index; the others are few.
 */
export function findDuplicates(db: ReadConnection, page: number, limit: number): Duplicates {
  const all = allGroups(db)
  const some = all.slice((page - 1) * limit, page * limit)
  return {
    total: all.length,
    settled: pageKeysAreCurrent(db) && !anyUnindexed(db),
    groups: some.map(({ owner, pages, why }) => {
      const ids = pages.flatMap((one) => membersOf(db, owner, one))
      return { why, bookmarks: bookmarksAt(db, ids.sort((a, b) => a - b).slice(0, MOST_IN_GROUP)) }
    })
  }
}

function membersOf(db: ReadConnection, owner: number, page: number): number[] {
  return readValues<number>(db)`
    SELECT id FROM bookmarks INDEXED BY bookmarks_by_near_page
    WHERE ifnull(organization_id, 0) = ${owner} AND near_page = ${page} AND deleted_at IS NULL
      ORDER BY id LIMIT ${MOST_IN_GROUP}`
}

/** Returns all groups, that of the bookmark saved last first. */
function allGroups(db: ReadConnection): Group[] {
  const tied = groupTies(allTies(db))
  const taken = new Set(tied.flatMap(({ owner, pages }) => pages.map((page) => nameOf(owner, page))))
  const near = readTuples<[owner: number, page: number, newest: number]>(db)`
    SELECT ifnull(organization_id, 0), near_page, max(id) FROM bookmarks INDEXED BY bookmarks_by_near_page
    WHERE near_page IS NOT NULL AND deleted_at IS NULL
    GROUP BY ifnull(organization_id, 0), near_page HAVING count(*) > 1`
  const alone = near
    .filter(([owner, page]) => !taken.has(nameOf(owner, page)))
    .map(([owner, page, newest]): Group => ({ owner, pages: [page], why: 'near', newest }))
  const counted = tied.map((one) => withCount(db, one)).filter((one) => one !== undefined)
  return [...alone, ...counted].sort((a, b) => b.newest - a.newest)
}

function allTies(db: ReadConnection): Tie[] {
  const own = readTuples<[owner: number, from: number, to: number]>(db)`
    SELECT ifnull(b.organization_id, 0), b.near_page, d.own_page FROM page_details d
      INDEXED BY page_details_by_own_page CROSS JOIN bookmarks b ON b.id = d.bookmark_id
    WHERE d.own_page IS NOT NULL AND b.near_page IS NOT NULL AND b.deleted_at IS NULL`
  const moved = readTuples<[owner: number, from: number, to: string]>(db)`
    SELECT ifnull(b.organization_id, 0), b.near_page, l.moved_to FROM link_checks l
      INDEXED BY link_checks_by_mark CROSS JOIN bookmarks b ON b.id = l.bookmark_id
    WHERE l.mark = 'moved' AND b.near_page IS NOT NULL AND b.deleted_at IS NULL`
  return [
    ...own.map(([owner, from, to]): Tie => ({ owner, from, to, why: 'own' })),
    ...moved.map(([owner, from, to]): Tie => ({ owner, from, to: nearPageHash(pageKey(to)) ?? from, why: 'moved' }))
  ]
}

/** Returns the group as it is now; `undefined` where it is no more than one bookmark. */
function withCount(db: ReadConnection, { owner, pages, why }: Omit<Group, 'newest'>): Group | undefined {
  const found = pages
    .map((page) => {
      const [[bookmarks, newest] = [0, 0]] = readTuples<[bookmarks: number, newest: number]>(db)`
        SELECT count(*), ifnull(max(id), 0) FROM bookmarks INDEXED BY bookmarks_by_near_page
        WHERE ifnull(organization_id, 0) = ${owner} AND near_page = ${page} AND deleted_at IS NULL`
      return { page, bookmarks, newest }
    })
    .filter(({ bookmarks }) => bookmarks > 0)
  if (found.reduce((sum, { bookmarks }) => sum + bookmarks, 0) < 2) return undefined
  return {
    owner,
    pages: found.map(({ page }) => page),
    why: found.length === 1 ? 'near' : why,
    newest: Math.max(...found.map(({ newest }) => newest))
  }
}

/** Groups the pages that ties join, however many steps apart. */
function groupTies(ties: Tie[]): Omit<Group, 'newest'>[] {
  const groups = new Map<string, Omit<Group, 'newest'>>()
  for (const { owner, from, to, why } of ties) {
    const [one, other] = [from, to].map((page) => groups.get(nameOf(owner, page)) ?? { owner, pages: [page], why })
    if (!one || !other || one === other) continue
    const both = {
      owner,
      pages: [...new Set([...one.pages, ...other.pages])],
      why: one.pages.length > 1 ? one.why : why
    }
    for (const page of both.pages) groups.set(nameOf(owner, page), both)
  }
  return [...new Set(groups.values())]
}

function nameOf(owner: number, page: number): string {
  return `${owner} ${page}`
}
