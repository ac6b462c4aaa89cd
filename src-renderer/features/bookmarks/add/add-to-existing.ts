import { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { ask } from '../../../shared/request.ts'

/** What was typed that a bookmark lacks: a title of its own, tags. Empty where it has it all. */
export function lacking(existing: Pick<ShownBookmark, 'title' | 'tags'>, typed: { title: string; tags: string[] }) {
  const has = new Set(existing.tags.map(folded))
  const title = typed.title.trim()
  return {
    title: title === '' || title === existing.title ? undefined : title,
    tags: typed.tags.filter((tag) => !has.has(folded(tag)))
  }
}

/** Gives a bookmark what it lacks, as one step that can be taken back. */
export function addToExisting({ id, tags }: ShownBookmark, lacks: ReturnType<typeof lacking>) {
  const json = { title: lacks.title, tags: lacks.tags.length > 0 ? [...tags, ...lacks.tags] : undefined }
  return ask(api.bookmarks[':id'].$patch({ param: { id }, json }))
}

/** Enough to compare here; the service folds names for good. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase()
