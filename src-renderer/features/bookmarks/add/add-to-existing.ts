import { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { foldName } from '../../../shared/match-names.ts'
import { ask } from '../../../shared/request.ts'

/** Returns the typed title and tags that a bookmark lacks. Empty where it has them all. */
export function lacking(existing: Pick<ShownBookmark, 'title' | 'tags'>, typed: { title: string; tags: string[] }) {
  const has = new Set(existing.tags.map(foldName))
  const title = typed.title.trim()
  return {
    title: title === '' || title === existing.title ? undefined : title,
    tags: typed.tags.filter((tag) => !has.has(foldName(tag)))
  }
}

/** Gives a bookmark what it lacks, as one step that can be taken back. */
export function addToExisting({ id, tags }: ShownBookmark, lacks: ReturnType<typeof lacking>) {
  const json = { title: lacks.title, tags: lacks.tags.length > 0 ? [...tags, ...lacks.tags] : undefined }
  return ask(api.bookmarks[':id'].$patch({ param: { id }, json }))
}
