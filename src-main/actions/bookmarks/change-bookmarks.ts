import { setImmediate } from 'node:timers/promises'
import { type Bookmark, LIMITS } from '../../contract/bookmark.ts'
import type {
  BulkChange,
  ChangeReport,
  ChangeRequest,
  RequestedChange,
  SelectionRequest
} from '../../contract/bookmark-change.ts'
import type { WalkChoice, WalkPart } from '../../contract/library-export.ts'
import type { WorkControl } from '../../contract/long-work.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tag, TagMerge, TagReport } from '../../contract/tag.ts'
import { cleanTag } from '../../core/clean-text.ts'
import type { Library } from '../../store/open-library.ts'
import { endedBy } from '../ended-early.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'
import { choosePlace, cleanTags } from './bookmark-fields.ts'
import { walkOf } from './search-bookmarks.ts'

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

/**
 * Gives a tag another name on all its bookmarks, those in the trash too.
 *
 * @throws Problem `not-found`, `taken` when there is another tag of that name, `invalid` when the name is empty
 */
export function renameTag(ports: Ports, name: string, newName: string): Promise<TagReport> {
  return ports.library.renameTag(name, clean(newName), ports.now())
}

/**
 * Makes one tag of several.
 *
 * @throws Problem `not-found`, `invalid` when there is nothing to merge or the name is empty
 */
export function mergeTags(ports: Ports, { from, into }: TagMerge): Promise<TagReport> {
  return ports.library.mergeTags({ from, into: clean(into) }, ports.now())
}

/**
 * Takes a tag from all its bookmarks, those in the trash too, as one step.
 *
 * @throws Problem `not-found`, or `taken` when a backup is restored meanwhile
 */
export async function deleteTag(ports: Ports, name: string): Promise<TagReport> {
  const inSameLibrary = sameLibrary(ports.library)
  const at = ports.now()
  let part = await ports.library.deleteTagSome(name, at)
  try {
    while (part.after !== null) {
      inSameLibrary()
      part = await ports.library.deleteTagSome(name, at, part)
    }
    return { bookmarks: part.bookmarks, undo: part.undo }
  } catch (error) {
    return { bookmarks: part.bookmarks, undo: part.undo, ...endedBy(error, part.bookmarks) }
  }
}

function clean(name: string): string {
  const tag = cleanTag(name, LIMITS.tag)
  if (tag === '') throw new Problem('invalid', 'A tag needs a name.')
  return tag
}

/** Tags of a selection that are named, at most: those that most of it have. */
const MOST_TAGS = 200

/** Bookmarks whose pages are named, at most: as many as can be chosen one by one. */
const MOST_PAGES = 1000

/** Facts about the bookmarks that are selected together. */
export interface SelectionFacts {
  total: number
  /** The tags of most bookmarks come first. */
  tags: Tag[]
  /** Bookmarks with an address, in the order given, or by when they were saved. Empty if there are more than 1,000. */
  pages: { id: string; url: string }[]
}

/**
 * How many bookmarks are chosen, the tags they have, and where they lead.
 *
 * @throws Problem `not-found` when there is no such organization
 */
export async function describeSelection(ports: Ports, request: SelectionRequest): Promise<SelectionFacts> {
  const { library } = ports
  if ('ids' in request) {
    const bookmarks = await library.readBookmarks(request.ids)
    return { total: bookmarks.length, tags: sorted(await library.tagsOf(request.ids)), pages: pagesOf(bookmarks) }
  }
  const { all, except } = request
  const choice = await walkOf(ports, all)
  const [walk, tags, left] = await Promise.all([
    library.countMatching(choice),
    library.tagsOfMatching(choice),
    library.tagsOf(except)
  ])
  const total = Math.max(0, walk.total - except.length)
  const pages = total > MOST_PAGES ? [] : pagesOf(await readAll(library, choice, new Set(except)))
  return { total, tags: sorted(without(tags, left)), pages }
}

async function readAll(library: Library, choice: WalkChoice, except: Set<string>): Promise<Bookmark[]> {
  const ids: string[] = []
  for (let after: number | null = 0; after !== null; ) {
    const part: WalkPart = await library.matchingIds({ ...choice, after })
    ids.push(...part.ids.filter((id) => !except.has(id)))
    after = part.next
  }
  return library.readBookmarks(ids)
}

function pagesOf(bookmarks: Bookmark[]): SelectionFacts['pages'] {
  return bookmarks.flatMap(({ id, url }) => (url === null ? [] : [{ id, url }]))
}

function without(tags: Tag[], left: Tag[]): Tag[] {
  const fewer = new Map(left.map(({ name, bookmarks }) => [name, bookmarks]))
  return tags.map(({ name, bookmarks }) => ({ name, bookmarks: bookmarks - (fewer.get(name) ?? 0) }))
}

function sorted(tags: Tag[]): Tag[] {
  const had = tags.filter(({ bookmarks }) => bookmarks > 0)
  return had.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name)).slice(0, MOST_TAGS)
}
