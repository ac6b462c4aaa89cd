import { setImmediate } from 'node:timers/promises'
import type { BulkChange, ChangeReport, ChangeRequest, RequestedChange } from '../../contract/bookmark-change.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import type { WorkControl } from '../../contract/long-work.ts'
import { Problem } from '../../contract/problem.ts'
import { endedBy } from '../ended-early.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'
import { choosePlace } from './choose-place.ts'
import { cleanTags } from './clean-tags.ts'
import { walkOf } from './filter-of.ts'

/** Bookmarks left alone that are named, at most. */
const MOST_NAMED = 1000

/**
 * Makes one change to many bookmarks, as one step that can be undone, unless it deletes for good. What cannot be changed
 * is left alone and named. All that a list shows is changed part by part, so that others get their turn; what comes to
 * the list meanwhile is not. Where a part fails after others were made, the report says so, with the step that undoes them.
 *
 * @throws Problem `invalid` when no tag is left to add or remove, or no place to move to; `not-found` when there is no
 *   such organization; `taken` when a backup is restored meanwhile
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

/** All bookmarks of a walk but a few. */
interface AllBut {
  choice: WalkChoice
  except: Set<string>
}

/** Makes one change to all of them, part by part. Throws as `changeBookmarks` does. */
export async function changeAll(
  { library, now }: Ports,
  { choice, except }: AllBut,
  change: BulkChange,
  control: WorkControl | undefined
): Promise<ChangeReport> {
  const inSameLibrary = sameLibrary(library)
  const { total, until } = await library.countMatching(choice)
  const report: ChangeReport = { changed: 0, unchanged: 0, kept: [], undo: null }
  const at = now()
  try {
    for (let after: number | null = 0, done = 0; after !== null; ) {
      if (control?.signal.aborted) return { ...report, cancelled: true }
      inSameLibrary()
      const part = await library.matchingIds({ ...choice, after, until })
      const ids = part.ids.filter((id) => !except.has(id))
      if (ids.length > 0) add(report, await library.changeBookmarks(ids, change, at, report.undo))
      after = part.next
      done += part.ids.length
      control?.onProgress({ done, total: Math.max(done, total) })
      await setImmediate() // between two parts others get their turn
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.changed) }
  }
}

function add(report: ChangeReport, { changed, unchanged, kept, undo }: ChangeReport): void {
  report.changed += changed
  report.unchanged += unchanged
  report.kept = [...report.kept, ...kept].slice(0, MOST_NAMED)
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
