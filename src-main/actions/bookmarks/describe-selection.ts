import type { Bookmark } from '../../contract/bookmark.ts'
import type { SelectionRequest } from '../../contract/bookmark-change.ts'
import type { WalkChoice, WalkPart } from '../../contract/library-export.ts'
import type { Tag } from '../../contract/tag.ts'
import type { Library } from '../../store/open-library.ts'
import type { Ports } from '../ports.ts'
import { walkOf } from './filter-of.ts'

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
