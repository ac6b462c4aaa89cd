import type { Bookmark } from '../../contract/bookmark.ts'
import {
  type BulkChange,
  type ChangeReport,
  type ChangeRequest,
  MAX_NAMED,
  type RequestedChange,
  type SelectionRequest
} from '../../contract/bookmark-change.ts'
import type { WorkControl } from '../../contract/change.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tag } from '../../contract/tag.ts'
import { endedBy, inBatches } from '../long-work.ts'
import type { Ports } from '../ports.ts'
import { choosePlace, cleanTags } from './bookmark-fields.ts'
import { walkOf } from './search-bookmarks.ts'

/** Number of bookmarks that are changed in one transaction, which takes about 20 ms. */
const BATCH_SIZE = 200

/**
 * Makes one change to many bookmarks, as one undo step unless it purges. Bookmarks that cannot be changed are skipped,
 * and listed in the report. If a batch fails after others were done, the report has the problem and the undo step.
 *
 * @throws Problem `invalid` if the change has no valid tag or no place to move to; `not-found` if there is no such
 *   organization
 */
export async function changeBookmarks(
  ports: Ports,
  request: ChangeRequest,
  control?: WorkControl
): Promise<ChangeReport> {
  const change = await resolve(ports, request.change)
  if ('ids' in request) return ports.library.changeBookmarks(request.ids, change, ports.now())
  const { all, except } = request
  return changeAll(ports, { choice: await walkOf(ports, all), except: new Set(except) }, change, control)
}

/** All bookmarks that match, except those in `except`. */
interface AllBut {
  choice: WalkChoice
  except: Set<string>
}

/** Changes the bookmarks that match now, also those that no longer match when their batch is changed. */
export async function changeAll(
  { library, now }: Ports,
  { choice, except }: AllBut,
  change: BulkChange,
  control?: WorkControl
): Promise<ChangeReport> {
  const ids = (await library.matchingIds(choice)).filter((id) => !except.has(id))
  const report: ChangeReport = { changed: 0, unchanged: 0, kept: [], undo: null }
  const time = now()
  const changeBatch = async (batch: string[], done: number) => {
    addTo(report, await library.changeBookmarks(batch, change, time, report.undo))
    control?.onProgress({ done, total: ids.length })
  }
  try {
    const isComplete = await inBatches(ids, BATCH_SIZE, changeBatch, control?.signal)
    return isComplete ? report : { ...report, cancelled: true }
  } catch (error) {
    return { ...report, ...endedBy(error, report.changed) }
  }
}

function addTo(report: ChangeReport, { changed, unchanged, kept, undo }: ChangeReport): void {
  report.changed += changed
  report.unchanged += unchanged
  report.kept = [...report.kept, ...kept].slice(0, MAX_NAMED)
  report.undo = undo
}

async function resolve(ports: Ports, change: RequestedChange): Promise<BulkChange> {
  if (change.kind === 'move') {
    const place = await choosePlace(ports, change)
    if (!place) throw new Problem('invalid', 'Choose where to move the bookmarks.')
    return { kind: 'move', place }
  }
  if (change.kind !== 'tags') return change
  const [add, remove] = [cleanTags(change.add), cleanTags(change.remove)]
  if (add.length + remove.length === 0) throw new Problem('invalid', 'A tag needs a name.')
  return { kind: 'tags', add, remove }
}

/** Maximum number of a selection’s tags that are named. */
const MAX_TAGS = 200

/** Maximum number of bookmarks whose pages are listed. It is the number that can be selected one by one. */
const MAX_PAGES = 1000

export interface SelectionFacts {
  total: number
  /** The tags that most bookmarks have come first. */
  tags: Tag[]
  /** Bookmarks with an address, in the order of the request, or of saving. Empty if there are more than 1,000. */
  pages: { id: string; url: string }[]
}

/** @throws Problem `not-found` if there is no such organization */
export async function describeSelection(ports: Ports, request: SelectionRequest): Promise<SelectionFacts> {
  const { library } = ports
  if ('ids' in request) {
    const bookmarks = await library.readBookmarks(request.ids)
    return { total: bookmarks.length, tags: sortTags(await library.tagsOf(request.ids)), pages: pagesOf(bookmarks) }
  }
  const { all, except } = request
  const choice = await walkOf(ports, all)
  const excepted = new Set(except)
  const ids = (await library.matchingIds(choice)).filter((id) => !excepted.has(id))
  const pages = ids.length > MAX_PAGES ? [] : pagesOf(await library.readBookmarks(ids))
  return { total: ids.length, tags: sortTags(await library.tagsOf(ids)), pages }
}

function pagesOf(bookmarks: Bookmark[]): SelectionFacts['pages'] {
  return bookmarks.flatMap(({ id, url }) => (url === null ? [] : [{ id, url }]))
}

function sortTags(tags: Tag[]): Tag[] {
  return tags.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name)).slice(0, MAX_TAGS)
}
