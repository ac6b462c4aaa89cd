import { setImmediate } from 'node:timers/promises'
import type { Bookmark } from '../../contract/bookmark.ts'
import {
  type Duplicates,
  type Merge,
  type MergeAllRequest,
  type MergeReport,
  MOST_IN_GROUP
} from '../../contract/duplicate.ts'
import type { WorkControl } from '../../contract/long-work.ts'
import { endedBy } from '../ended-early.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'

/**
 * Groups of bookmarks that are nearly the same page of the same owner. First in each is the one that best stays: whose
 * link is well, with an encrypted address, and of those the one saved first.
 *
 * @param page counted from 1
 * @param limit groups a page
 */
export async function findDuplicates(ports: Ports, page: number, limit: number): Promise<Duplicates> {
  const found = await ports.library.findDuplicates(page, limit)
  return {
    ...found,
    groups: found.groups.map(({ why, bookmarks }) => ({ why, bookmarks: bookmarks.toSorted(bestFirst) }))
  }
}

function bestFirst(one: Bookmark, other: Bookmark): number {
  return isMarked(one) - isMarked(other) || isPlain(one) - isPlain(other) || one.createdAt - other.createdAt
}

function isMarked({ link }: Bookmark): number {
  return link === null ? 0 : 1
}

function isPlain({ url }: Bookmark): number {
  return url?.startsWith('http:') ? 1 : 0
}

/** Groups read at once, and merged in one transaction. */
const READ = 1000
const MERGED = 50

/** Merges that were left alone and are named, at most. */
const MOST_NAMED = 1000

/**
 * Merges all duplicates there are, as one step that can be undone. From the last page to the first: what is merged leaves
 * the list, and the pages before it stay as they are. Where a part fails after others were made, the report says so.
 *
 * @throws Problem `taken` when a backup is restored meanwhile
 */
export async function mergeAllDuplicates(
  ports: Ports,
  { keep }: MergeAllRequest,
  { signal, onProgress }: WorkControl
): Promise<MergeReport> {
  const { library, now } = ports
  const inSameLibrary = sameLibrary(library)
  const wanted = new Set(keep)
  const report: MergeReport = { merged: 0, trashed: 0, left: [], undo: null }
  const at = now()
  let done = 0
  try {
    for (let again = true; again; ) {
      again = false
      const { total } = await findDuplicates(ports, 1, 1)
      for (let page = Math.ceil(total / READ); page > 0; page--) {
        const { groups } = await findDuplicates(ports, page, READ)
        for (let from = 0; from < groups.length; from += MERGED) {
          if (signal.aborted) return { ...report, cancelled: true }
          inSameLibrary()
          const merges = groups.slice(from, from + MERGED).map((group) => mergeOf(group, wanted))
          const part = await library.mergeDuplicates(merges, at, report.undo)
          add(report, part)
          again ||= merges.some((merge) => hasMore(merge, part))
          done += merges.length
          onProgress({ done, total: Math.max(done, total) })
          await setImmediate() // between two parts others get their turn
        }
      }
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.merged) }
  }
}

function mergeOf({ bookmarks }: Duplicates['groups'][number], wanted: Set<string>): Merge {
  const [best = '', ...ids] = bookmarks.map(({ id }) => id)
  const keep = ids.find((id) => wanted.has(id)) ?? best
  return { keep, others: [best, ...ids].filter((id) => id !== keep) }
}

/** Whether bookmarks of a group that were not read yet follow the merged one. */
function hasMore({ keep, others }: Merge, { left }: MergeReport): boolean {
  return others.length + 1 === MOST_IN_GROUP && left.every((one) => one.keep !== keep)
}

function add(report: MergeReport, { merged, trashed, left, undo }: MergeReport): void {
  report.merged += merged
  report.trashed += trashed
  report.left = [...report.left, ...left].slice(0, MOST_NAMED)
  report.undo = undo
}
