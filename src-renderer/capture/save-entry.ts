import type { fieldsOf } from '../features/bookmarks/add/detect.ts'
import { savePicture } from '../features/bookmarks/add/picture-file.ts'
import { api } from '../shared/api.ts'
import { ask } from '../shared/request.ts'

/** The bookmark that already existed: the tags it got, and the undo step that removes them. */
export interface Kept {
  id: string
  addedTags: string[]
  undo: number | null
}

type Fields = ReturnType<typeof fieldsOf>

interface About {
  title?: string | undefined
  description?: string | undefined
  tags: string[]
}

/** Saves what was typed. @returns what was there already, if it was */
export async function saveEntry(fields: Fields, about: About): Promise<Kept | undefined> {
  const json = { ...fields, ...about }
  const { status, bookmark, addedTags, undo } = await ask(api.bookmarks.captures.$post({ json }))
  return status === 'saved' ? undefined : { id: bookmark.id, addedTags, undo }
}

/** Saves a picture itself. @returns what was there already, if it was */
export async function savePictureEntry(picture: File, title: string, tags: string[]): Promise<Kept | undefined> {
  const { status, bookmark } = await savePicture(picture, { title, tags })
  if (status === 'saved') return undefined
  const has = new Set(bookmark.tags.map((tag) => tag.toLowerCase()))
  const addedTags = tags.filter((tag) => !has.has(tag.toLowerCase()))
  if (addedTags.length === 0) return { id: bookmark.id, addedTags, undo: null }
  const change = { kind: 'tags' as const, add: addedTags }
  const { undo } = await ask(api.bookmarks.changes.$post({ query: {}, json: { ids: [bookmark.id], change } }))
  return { id: bookmark.id, addedTags: undo === null ? [] : addedTags, undo }
}
