import type { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import type { Place } from '../place-select.tsx'

/** A bookmark's fields while they are edited. */
export interface Draft {
  title: string
  url: string
  description: string
  content: string
  tags: string[]
  place: Place
}

export type Patch = Parameters<(typeof api.bookmarks)[':id']['$patch']>[0]['json']

export function draftOf({ title, url, description, content, tags, visibility, organization }: ShownBookmark): Draft {
  const place = { visibility, organization: organization ?? undefined }
  return { title, url: url ?? '', description, content, tags, place }
}

/** What differs from the bookmark, as the service takes it; empty when nothing does. */
export function patchOf(bookmark: ShownBookmark, draft: Draft): Patch {
  const before = draftOf(bookmark)
  const moved =
    draft.place.visibility !== before.place.visibility || draft.place.organization !== before.place.organization
  return {
    ...(draft.title !== before.title && { title: draft.title }),
    ...(draft.url !== before.url && { url: draft.url }),
    ...(draft.description !== before.description && { description: draft.description }),
    ...(draft.content !== before.content && { content: draft.content }),
    ...(draft.tags.join('\n') !== before.tags.join('\n') && { tags: draft.tags }),
    ...(moved && draft.place)
  }
}
