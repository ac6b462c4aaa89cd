import type { Bookmark } from '../../contract/bookmark.ts'
import {
  type Duplicates,
  MAX_IN_GROUP,
  MAX_NAMED,
  type Merge,
  type MergeAllRequest,
  type MergeReport
} from '../../contract/bookmark-change.ts'
import type { WorkControl } from '../../contract/change.ts'
import { endedBy, inBatches } from '../long-work.ts'
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

/**
 * Merges all duplicates, as one undo step. Groups with more bookmarks than are read at once are merged repeatedly. If a
 * batch fails after others were done, the report has the problem.
 */
export async function mergeAllDuplicates(
  ports: Ports,
  { keep }: MergeAllRequest,
  { signal, onProgress }: WorkControl
): Promise<MergeReport> {
  const { library, now } = ports
  const report: MergeReport = { merged: 0, trashed: 0, left: [], undo: null }
  const time = now()
  let isComplete = false
  const mergeBatch = async (merges: Merge[], done: number) => {
    const part = await library.mergeDuplicates(merges, time, report.undo)
    addTo(report, part)
    isComplete &&= !merges.some((merge) => hasMore(merge, part))
    onProgress({ done, total: merges.length })
  }
  try {
    while (!isComplete) {
      isComplete = true
      const merges = await readMerges(ports, new Set(keep))
      if (!(await inBatches(merges, MERGE_SIZE, mergeBatch, signal))) return { ...report, cancelled: true }
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.merged) }
  }
}

async function readMerges(ports: Ports, chosen: Set<string>): Promise<Merge[]> {
  const merges: Merge[] = []
  for (let page = 1; ; page += 1) {
    const { groups, total } = await findDuplicates(ports, page, READ_SIZE)
    merges.push(...groups.map((group) => mergeOf(group, chosen)))
    if (page * READ_SIZE >= total) return merges
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
