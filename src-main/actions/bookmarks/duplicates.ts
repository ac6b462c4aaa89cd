import type { Bookmark } from '../../contract/bookmark.ts'
import {
  type Duplicates,
  MAX_IN_GROUP,
  type Merge,
  type MergeAllRequest,
  type MergeReport
} from '../../contract/bookmark-change.ts'
import type { WorkControl } from '../../contract/change.ts'
import { createPauses, endedBy } from '../long-work.ts'
import type { Ports } from '../ports.ts'

/**
 * Returns groups of bookmarks that are nearly the same page of the same owner. The first of each group is the best to
 * keep: bookmarks with a working link come first, then those with an https address, then older ones.
 *
 * @param page counted from 1
 * @param limit groups per page
 */
export async function findDuplicates(ports: Ports, page: number, limit: number): Promise<Duplicates> {
  const duplicates = await ports.library.findDuplicates(page, limit)
  const groups = duplicates.groups.map(({ why, bookmarks }) => ({ why, bookmarks: bookmarks.toSorted(bestFirst) }))
  return { ...duplicates, groups }
}

function bestFirst(a: Bookmark, b: Bookmark): number {
  return isMarked(a) - isMarked(b) || isHttp(a) - isHttp(b) || a.createdAt - b.createdAt
}

function isMarked({ link }: Bookmark): number {
  return link === null ? 0 : 1
}

function isHttp({ url }: Bookmark): number {
  return url?.startsWith('http:') ? 1 : 0
}

/** Number of groups that are read at once, and that are merged in one transaction. */
const READ_SIZE = 1000
const MERGE_SIZE = 50

const MAX_NAMED = 1000

/**
 * Merges all duplicates, as one undo step. The pages of the list are merged from the last to the first, so that the
 * groups that leave the list do not move other pages. If a batch fails after others were done, the report has the
 * problem.
 */
export async function mergeAllDuplicates(
  ports: Ports,
  { keep }: MergeAllRequest,
  { signal, onProgress }: WorkControl
): Promise<MergeReport> {
  const { library, now } = ports
  const pause = createPauses()
  const chosen = new Set(keep)
  const report: MergeReport = { merged: 0, trashed: 0, left: [], undo: null }
  const time = now()
  let done = 0
  try {
    for (let again = true; again; ) {
      again = false
      const { total } = await findDuplicates(ports, 1, 1)
      for (let page = Math.ceil(total / READ_SIZE); page > 0; page--) {
        const { groups } = await findDuplicates(ports, page, READ_SIZE)
        for (let from = 0; from < groups.length; from += MERGE_SIZE) {
          if (signal.aborted) return { ...report, cancelled: true }
          const merges = groups.slice(from, from + MERGE_SIZE).map((group) => mergeOf(group, chosen))
          const part = await library.mergeDuplicates(merges, time, report.undo)
          addTo(report, part)
          again ||= merges.some((merge) => hasMore(merge, part))
          done += merges.length
          onProgress({ done, total: Math.max(done, total) })
          await pause()
        }
      }
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.merged) }
  }
}

function mergeOf({ bookmarks }: Duplicates['groups'][number], chosen: Set<string>): Merge {
  const [best = '', ...ids] = bookmarks.map(({ id }) => id)
  const keep = ids.find((id) => chosen.has(id)) ?? best
  return { keep, others: [best, ...ids].filter((id) => id !== keep) }
}

/** Whether the group of a merge has bookmarks that were not read yet. */
function hasMore({ keep, others }: Merge, { left }: MergeReport): boolean {
  return others.length + 1 === MAX_IN_GROUP && left.every((merge) => merge.keep !== keep)
}

function addTo(report: MergeReport, { merged, trashed, left, undo }: MergeReport): void {
  report.merged += merged
  report.trashed += trashed
  report.left = [...report.left, ...left].slice(0, MAX_NAMED)
  report.undo = undo
}
