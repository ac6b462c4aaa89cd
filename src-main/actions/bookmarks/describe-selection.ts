import type { SelectionRequest } from '../../contract/bookmark-change.ts'
import type { Ports } from '../../contract/ports.ts'
import type { Tag } from '../../contract/tag.ts'
import { walkOf } from './filter-of.ts'

/** Tags of a selection that are named, at most: those that most of it have. */
const MOST_TAGS = 200

/** Facts about the bookmarks that are selected together. */
export interface SelectionFacts {
  total: number
  /** The tags of most bookmarks come first. */
  tags: Tag[]
  /** Where they lead, of those that were chosen one by one. */
  addresses: string[]
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
    const addresses = bookmarks.map(({ url }) => url).filter((url) => url !== null)
    return { total: bookmarks.length, tags: sorted(await library.tagsOf(request.ids)), addresses }
  }
  const { all, except } = request
  const choice = await walkOf(ports, all)
  const [{ total }, tags, left] = await Promise.all([
    library.countMatching(choice),
    library.tagsOfMatching(choice),
    library.tagsOf(except)
  ])
  return { total: Math.max(0, total - except.length), tags: sorted(without(tags, left)), addresses: [] }
}

function without(tags: Tag[], left: Tag[]): Tag[] {
  const fewer = new Map(left.map(({ name, bookmarks }) => [name, bookmarks]))
  return tags.map(({ name, bookmarks }) => ({ name, bookmarks: bookmarks - (fewer.get(name) ?? 0) }))
}

function sorted(tags: Tag[]): Tag[] {
  const had = tags.filter(({ bookmarks }) => bookmarks > 0)
  return had.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name)).slice(0, MOST_TAGS)
}
