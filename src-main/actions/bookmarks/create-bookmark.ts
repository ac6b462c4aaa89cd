import { type Bookmark, type BookmarkDraft, LIMITS, type SavedBookmark } from '../../contract/bookmark.ts'
import type { BookmarkRequest } from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import type { Ports } from '../ports.ts'
import { addressFields, contentField, titleFor } from './bookmark-fields.ts'
import { choosePlace } from './choose-place.ts'
import { cleanTags } from './clean-tags.ts'
import { findBookmark } from './find-bookmark.ts'
import { placementFor } from './placement.ts'

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
