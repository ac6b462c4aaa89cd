import type { BookmarkRequest } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/fold-name.ts'
import type { Ports } from '../ports.ts'
import { changeBookmarks } from './change-bookmarks.ts'
import { cleanTags } from './clean-tags.ts'
import { type CreatedBookmark, createBookmark } from './create-bookmark.ts'
import { findBookmark } from './find-bookmark.ts'

/** `undo` takes the added tags back; `null` where none was added to what was there. */
export interface CapturedBookmark extends CreatedBookmark {
  addedTags: string[]
  undo: number | null
}

/**
 * Saves a bookmark in passing: one that is there already gets the tags it lacks, and stays as it is otherwise.
 *
 * @throws Problem as `createBookmark`, and `invalid` when what is there has as many tags as it can
 */
export async function captureBookmark(ports: Ports, request: BookmarkRequest): Promise<CapturedBookmark> {
  const created = await createBookmark(ports, request)
  const has = new Set(created.bookmark.tags.map(foldName))
  const addedTags = cleanTags(request.tags ?? []).filter((tag) => !has.has(foldName(tag)))
  if (addedTags.length === 0) return { ...created, addedTags, undo: null }
  const { id } = created.bookmark
  const { kept, undo } = await changeBookmarks(ports, {
    ids: [id],
    change: { kind: 'tags', add: addedTags, remove: [] }
  })
  if (kept.length > 0)
    throw new Problem('invalid', 'You have this already, with the maximum number of tags. Remove a tag first.')
  return { status: created.status, bookmark: await findBookmark(ports, id), addedTags, undo }
}
