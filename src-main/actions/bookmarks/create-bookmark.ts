import { type Bookmark, type BookmarkDraft, LIMITS, type SavedBookmark } from '../../contract/bookmark.ts'
import type { BookmarkPatch, BookmarkRequest, EditedBookmark } from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'
import type { Ports } from '../ports.ts'
import { addressFields, choosePlace, cleanTags, contentField, placementFor, titleFor } from './bookmark-fields.ts'
import { changeBookmarks } from './change-bookmarks.ts'
import { findBookmark } from './read-bookmark.ts'

/** `existing` was there already and is untouched; `saved` is new, or came back from the trash. */
export interface CreatedBookmark {
  status: SavedBookmark['status']
  bookmark: Bookmark
}

/**
 * Saves a bookmark of any type, as the owner describes it.
 *
 * @throws Problem `invalid` when what its type needs is missing or wrong, `not-found` when there is no such organization
 */
export async function createBookmark(ports: Ports, request: BookmarkRequest): Promise<CreatedBookmark> {
  const placement = { ...(await placementFor(ports, PROFILE)), ...(await choosePlace(ports, request)) }
  const [saved] = await ports.library.saveBookmarks(placement, [draftOf(request, placement.savedAt)])
  if (!saved) throw new Error('One draft was saved and not answered.')
  return { status: saved.status, bookmark: await findBookmark(ports, saved.id) }
}

function draftOf(request: BookmarkRequest, now: number): BookmarkDraft {
  const { type, url = '', title = '', description = '', tags = [] } = request
  const content = contentField(type, request.content ?? '')
  return {
    type,
    ...addressFields(type, url),
    title: cleanText(title, LIMITS.title) || titleFor(type, content),
    description: cleanLines(description, LIMITS.description),
    content,
    tags: cleanTags(tags),
    createdAt: now
  }
}

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

/**
 * Changes what a person says to change about a bookmark, as one step that can be undone.
 *
 * @throws Problem `not-found`; `invalid` when the bookmark is in the trash or a value does not fit its type; `taken` when
 *   another bookmark already is that page
 */
export async function editBookmark(ports: Ports, id: string, patch: BookmarkPatch): Promise<EditedBookmark> {
  const { type, picture } = await findBookmark(ports, id)
  const { title, description, url, content, tags } = patch
  if (picture !== null && url?.trim()) throw new Problem('invalid', 'url: a stored picture has no address')
  const place = await choosePlace(ports, patch)
  const edited = await ports.library.editBookmark(
    id,
    {
      title: title === undefined ? undefined : cleanText(title, LIMITS.title),
      description: description === undefined ? undefined : cleanLines(description, LIMITS.description),
      address: url === undefined || picture !== null ? undefined : addressFields(type, url),
      content: content === undefined ? undefined : contentField(type, content),
      tags: tags && cleanTags(tags),
      place
    },
    ports.now()
  )
  return { bookmark: await findBookmark(ports, id), undo: edited?.undo ?? null }
}
