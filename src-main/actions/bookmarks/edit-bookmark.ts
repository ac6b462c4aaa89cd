import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkPatch, EditedBookmark } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import type { Ports } from '../ports.ts'
import { addressFields, contentField } from './bookmark-fields.ts'
import { choosePlace } from './choose-place.ts'
import { cleanTags } from './clean-tags.ts'
import { findBookmark } from './find-bookmark.ts'

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
