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

export type Field = keyof Draft

export type Patch = Parameters<(typeof api.bookmarks)[':id']['$patch']>[0]['json']

export function draftOf({ title, url, description, content, tags, visibility, organization }: ShownBookmark): Draft {
  const place = { visibility, organization: organization ?? undefined }
  return { title, url: url ?? '', description, content, tags, place }
}

/** One field's change, as the service takes it. */
export function patchOf(field: Field, typed: Draft[Field]): Patch {
  return (field === 'place' ? typed : { [field]: typed }) as Patch
}

/** Whether two values of a field are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
