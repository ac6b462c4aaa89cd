import type { DuplicateReason, Duplicates } from '../../contract/duplicate.ts'
import { nearPageHash } from '../../core/near-page.ts'
import { pageKey } from '../../core/page-key.ts'
import { anyUnindexed } from '../../search/sql/index-queue.ts'
import type { ReadConnection } from '../connection.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import { pageKeysCurrent } from './page-keys.ts'

/** Bookmarks of a group that are shown; once these are merged the others follow. */
const MOST_IN_GROUP = 50

/** Near pages of one owner that are one page, and why. */
interface Group {
  owner: number
  pages: number[]
  why: DuplicateReason
  /** Row id of the bookmark that was saved last. */
  newest: number
}

/** That a bookmark of one near page says it is another. */
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
export function duplicateReads(db: ReadConnection) {
  const sql = statements(db)
  const { bookmarks } = bookmarkRows(db)
  const keysCurrent = pageKeysCurrent(db)

  function allGroups(): Group[] {
    const tied = groupTies(ties(sql))
    const taken = new Set(tied.flatMap(({ owner, pages }) => pages.map((page) => nameOf(owner, page))))
    const alone = (sql.near.all() as [number, number, number][])
      .filter(([owner, page]) => !taken.has(nameOf(owner, page)))
      .map(([owner, page, newest]): Group => ({ owner, pages: [page], why: 'near', newest }))
    return [...alone, ...tied.map((one) => counted(sql, one)).filter((one) => one !== undefined)].sort(
      (a, b) => b.newest - a.newest
    )
  }

  return {
    findDuplicates(page: number, limit: number): Duplicates {
      const all = allGroups()
      const some = all.slice((page - 1) * limit, page * limit)
      return {
        total: all.length,
        settled: keysCurrent() && !anyUnindexed(db),
        groups: some.map(({ owner, pages, why }) => {
          const ids = pages.flatMap((one) => sql.members.all(owner, one, MOST_IN_GROUP) as number[])
          return { why, bookmarks: bookmarks(ids.sort((a, b) => a - b).slice(0, MOST_IN_GROUP)) }
        })
      }
    }
  }
}

function ties(sql: Statements): Tie[] {
  return [
    ...(sql.own.all() as [number, number, number][]).map(([owner, from, to]) => ({
      owner,
      from,
      to,
      why: 'own' as const
    })),
    ...(sql.moved.all() as [number, number, string][]).map(([owner, from, to]) => ({
      owner,
      from,
      to: nearPageHash(pageKey(to)) ?? from,
      why: 'moved' as const
    }))
  ]
}

/** The group as it is now; `undefined` where it is no more than one bookmark. */
function counted(sql: Statements, { owner, pages, why }: Omit<Group, 'newest'>): Group | undefined {
  const found = pages
    .map((page) => {
      const [bookmarks = 0, newest = 0] = sql.extent.get(owner, page) ?? []
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

type Statements = ReturnType<typeof statements>

function statements(db: ReadConnection) {
  return {
    near: db
      .prepare(
        `SELECT ifnull(organization_id, 0), near_page, max(id) FROM bookmarks INDEXED BY bookmarks_by_near_page
         WHERE near_page IS NOT NULL AND deleted_at IS NULL
         GROUP BY ifnull(organization_id, 0), near_page HAVING count(*) > 1`
      )
      .raw(),
    own: db
      .prepare(
        `SELECT ifnull(b.organization_id, 0), b.near_page, d.own_page FROM page_details d
           INDEXED BY page_details_by_own_page CROSS JOIN bookmarks b ON b.id = d.bookmark_id
         WHERE d.own_page IS NOT NULL AND b.near_page IS NOT NULL AND b.deleted_at IS NULL`
      )
      .raw(),
    moved: db
      .prepare(
        `SELECT ifnull(b.organization_id, 0), b.near_page, l.moved_to FROM link_checks l
           INDEXED BY link_checks_by_mark CROSS JOIN bookmarks b ON b.id = l.bookmark_id
         WHERE l.mark = 'moved' AND b.near_page IS NOT NULL AND b.deleted_at IS NULL`
      )
      .raw(),
    members: db
      .prepare(
        `SELECT id FROM bookmarks INDEXED BY bookmarks_by_near_page
         WHERE ifnull(organization_id, 0) = ? AND near_page = ? AND deleted_at IS NULL ORDER BY id LIMIT ?`
      )
      .pluck(),
    extent: db
      .prepare<[number, number], [count: number, newest: number]>(
        `SELECT count(*), ifnull(max(id), 0) FROM bookmarks INDEXED BY bookmarks_by_near_page
         WHERE ifnull(organization_id, 0) = ? AND near_page = ? AND deleted_at IS NULL`
      )
      .raw()
  }
}

/** Pages that ties join, however many steps apart. */
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
