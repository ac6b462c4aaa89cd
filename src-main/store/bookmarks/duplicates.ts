import { LIMITS, type Visibility } from '../../contract/bookmark.ts'
import {
  type DuplicateReason,
  type Duplicates,
  MAX_IN_GROUP,
  type Merge,
  type MergeReport,
  type UnmergedReason
} from '../../contract/bookmark-change.ts'
import { nearPageHash, ownPageHash, pageKey } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readTuples, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { pageKeysAreCurrent } from '../indexing.ts'
import { findCopy, findTabText, highlightsOf, placeOf, uniteHighlights } from '../pages/text-rows.ts'
import { publicId } from '../public-id.ts'
import { bookmarksAt } from './bookmark-reads.ts'
import { ascending, type BookmarkState, replaceState, tagIdsOf } from './bookmark-state.ts'
import { claimSamples } from './samples.ts'
import { recordChange, recordPlace, type UndoStep } from './undo-steps.ts'

/** Near pages of one owner that are the same page, and the reason. A near page is a hash of an address (`near_page`). */
interface Group {
  owner: number
  pages: number[]
  why: DuplicateReason
  /** Row id of the bookmark that was saved last. */
  newest: number
}

/**
 * Two near pages that are the same page: the page of a bookmark names the other address as its own, or its link moved to
 * that address.
 */
interface Tie {
  owner: number
  from: number
  to: number
  why: DuplicateReason
}

/**
 * Finds groups of bookmarks with nearly the same address, and groups whose pages or moved links name the same address.
 * The first are counted in one scan of their index; the others are few.
 */
export function findDuplicates(db: ReadConnection, page: number, limit: number): Duplicates {
  const all = allGroups(db)
  const some = all.slice((page - 1) * limit, page * limit)
  return {
    total: all.length,
    settled: pageKeysAreCurrent(db),
    groups: some.map(({ owner, pages, why }) => {
      const ids = pages.flatMap((one) => membersOf(db, owner, one))
      return { why, bookmarks: bookmarksAt(db, ids.sort((a, b) => a - b).slice(0, MAX_IN_GROUP)) }
    })
  }
}

function membersOf(db: ReadConnection, owner: number, page: number): number[] {
  return readValues<number>(db)`
    SELECT id FROM bookmarks INDEXED BY bookmarks_by_near_page
    WHERE ifnull(organization_id, 0) = ${owner} AND near_page = ${page} AND deleted_at IS NULL
      ORDER BY id LIMIT ${MAX_IN_GROUP}`
}

/** Returns all groups. The group with the newest bookmark is first. */
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
  const isApart = findApart(db)
  return [...alone, ...counted].filter((group) => !isApart(group)).sort((a, b) => b.newest - a.newest)
}

/** Returns a function that checks whether the owner marked all bookmarks of a group as not duplicates. */
function findApart(db: ReadConnection): (group: Group) => boolean {
  const rows = readTuples<[owner: number, page: number, id: number, groupId: string]>(db)`
    SELECT ifnull(b.organization_id, 0), b.near_page, b.id, n.group_id
    FROM not_duplicates n CROSS JOIN bookmarks b ON b.id = n.bookmark_id WHERE b.near_page IS NOT NULL`
  const pages = new Set(rows.map(([owner, page]) => nameOf(owner, page)))
  const groupOf = new Map(rows.map(([, , id, groupId]) => [id, groupId]))
  return ({ owner, pages: members }) => {
    if (!members.some((page) => pages.has(nameOf(owner, page)))) return false
    const ids = members.flatMap((page) => membersOf(db, owner, page))
    return new Set(ids.map((id) => groupOf.get(id))).size === 1 && groupOf.has(ids[0] ?? 0)
  }
}

/**
 * Marks the bookmarks with these ids as not duplicates. They are listed again if another bookmark joins the group.
 *
 * @returns the undo step
 */
export function setNotDuplicates(db: WriteConnection, ids: string[], at: number): Written<number> {
  const group = publicId()
  const members = readValues<number>(db)`
    SELECT id FROM bookmarks WHERE public_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  writeNotDuplicates(db, group, members)
  return { answer: recordPlace(db, { id: null, at }, 'apart', group, undefined), events: [{ kind: 'bookmarks' }] }
}

/** Returns the row ids of a group of bookmarks that are not duplicates; `undefined` if there is no such group. */
export function readNotDuplicates(db: ReadConnection, group: string): number[] | undefined {
  const members = readValues<number>(db)`SELECT bookmark_id FROM not_duplicates WHERE group_id = ${group}`
  return members.length === 0 ? undefined : members
}

export function writeNotDuplicates(db: WriteConnection, group: string, members: number[] = []): void {
  run(db)`DELETE FROM not_duplicates WHERE group_id = ${group}`
  run(db)`
    INSERT OR REPLACE INTO not_duplicates (bookmark_id, group_id)
    SELECT id, ${group} FROM bookmarks WHERE id IN (SELECT value FROM json_each(${JSON.stringify(members)}))`
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

/** Counts the bookmarks of a group outside the trash. Returns `undefined` if fewer than two remain. */
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

/** Groups the pages that ties connect, directly or through other pages. */
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

interface Row extends Addresses {
  rowId: number
  owner: number | null
  visibility: Visibility
  title: string
  description: string
  content: string
  createdAt: number
  deletedAt: number | null
}

/**
 * Merges duplicates as one undo step. Duplicates that cannot be merged are reported in `left`.
 *
 * @param begun the id of an undo step to add this merge to, so that both merges are undone together
 */
export function mergeDuplicates(
  db: WriteConnection,
  merges: Merge[],
  at: number,
  begun: number | null = null
): Written<MergeReport> {
  const step: UndoStep = { id: begun, at }
  const left: MergeReport['left'] = []
  const changed: number[] = []
  let trashed = 0
  for (const { keep, others } of merges) {
    const merged = mergeOne(db, [keep, ...others], step)
    if (typeof merged === 'string') {
      left.push({ keep, reason: merged })
      continue
    }
    changed.push(...merged)
    trashed += others.length
  }
  searchIndex(db).refresh(changed)
  return {
    answer: { merged: merges.length - left.length, trashed, left, undo: step.id },
    events: trashed > 0 ? [{ kind: 'bookmarks' }] : []
  }
}

/**
 * Merges bookmarks into the first one and moves the others to the trash. Returns the row ids of the changed bookmarks, or
 * the reason why they cannot be merged.
 */
function mergeOne(db: WriteConnection, ids: string[], step: UndoStep): number[] | UnmergedReason {
  const [kept, ...others] = ids.map((id) => find(db, id)).filter((row) => row !== undefined)
  if (!kept || others.length < ids.length - 1) return 'missing'
  const wanted = merge(db, kept, others)
  if (typeof wanted === 'string') return wanted
  claimSamples(db, [kept.rowId])
  const merged = others.map(({ rowId }) => rowId)
  const changes = [{ rowId: kept.rowId, state: wanted, merged }]
  for (const rowId of merged) changes.push({ rowId, state: { deletedAt: step.at }, merged: [] })
  return changes.flatMap(({ rowId, state, merged }) => {
    const replaced = replaceState(db, rowId, state, step.at)
    if (!replaced) return []
    const before = merged.length > 0 ? { ...replaced.before, merged } : replaced.before
    recordChange(db, step, rowId, { ...replaced, before })
    return [rowId]
  })
}

/** Returns the state of the remaining bookmark after the merge, or the reason why the bookmarks cannot be merged. */
function merge(db: WriteConnection, kept: Row, others: Row[]): BookmarkState | UnmergedReason {
  const all = [kept, ...others]
  if (all.some(({ deletedAt }) => deletedAt !== null)) return 'in-trash'
  if (others.some((other) => other.owner !== kept.owner) || !areTied(all)) return 'other-page'
  const tags = ascending(all.flatMap(({ rowId }) => tagIdsOf(db, rowId)))
  if (tags.length > LIMITS.tags) return 'too-many-tags'
  const tabTexts = all.map(({ rowId }) => findTabText(db, rowId)).filter((text) => text !== undefined)
  const state: BookmarkState = {
    // Some browsers export the address of a page without a title as its title.
    title: longest(all.map(({ title, url }) => (title === url ? '' : title))) || kept.title,
    description: longest(all.map(({ description }) => description)),
    content: longest(all.map(({ content }) => content)),
    createdAt: Math.min(...all.map(({ createdAt }) => createdAt)),
    // If one bookmark is private, the merged bookmark is private, so that nothing private becomes public.
    visibility: all.some(({ visibility }) => visibility === 'private') ? 'private' : kept.visibility,
    tags,
    highlights: all.map(({ rowId }) => highlightsOf(db, rowId)).reduce(uniteHighlights),
    place: all.map(({ rowId }) => placeOf(db, rowId)).find((place) => place !== null) ?? null
  }
  if (tabTexts.length > 0)
    state.tabText = tabTexts.reduce((one, other) => (other.text.length > one.text.length ? other : one))
  const copies = others.map(({ rowId }) => findCopy(db, rowId)).filter((copy) => copy !== undefined)
  const [newest] = copies.sort((one, other) => other.savedAt - one.savedAt)
  if (newest && !findCopy(db, kept.rowId)) state.copy = newest
  return state
}

function find(db: WriteConnection, id: string): Row | undefined {
  return readRow<Row>(db)`
    SELECT b.id AS rowId, b.organization_id AS owner, b.visibility, b.url, b.title, b.description, b.content,
      b.created_at AS createdAt, b.deleted_at AS deletedAt, d.canonical_url AS canonicalUrl,
      iif(l.mark = 'moved', l.moved_to, NULL) AS movedTo
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id LEFT JOIN link_checks l ON l.bookmark_id = b.id
    WHERE b.public_id = ${id}`
}

/** Returns the first of the longest texts. */
function longest(texts: string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best))
}

/** A bookmark's address, the canonical address that its page names, and the address that the link moved to. */
interface Addresses {
  url: string | null
  canonicalUrl: string | null
  movedTo: string | null
}

/**
 * Whether all these bookmarks are nearly the same page: any two share one of their addresses, as near pages, directly or
 * through other bookmarks of the list.
 */
function areTied(all: Addresses[]): boolean {
  const [first, ...rest] = all.map(pagesOf)
  const known = new Set(first)
  let left = rest
  for (;;) {
    const next = left.filter((pages) => !pages.some((page) => known.has(page)))
    if (next.length === left.length) return left.length === 0
    for (const pages of left) if (!next.includes(pages)) for (const page of pages) known.add(page)
    left = next
  }
}

function pagesOf({ url, canonicalUrl, movedTo }: Addresses): number[] {
  if (url === null) return []
  const moved = movedTo === null ? null : nearPageHash(pageKey(movedTo))
  return [nearPageHash(pageKey(url)), ownPageHash(url, canonicalUrl), moved].filter((page) => page !== null)
}
