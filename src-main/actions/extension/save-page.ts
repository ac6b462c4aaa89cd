import type { Bookmark } from '../../contract/bookmark.ts'
import type { SaveRequest } from '../../contract/extension.ts'
import { MOST_PAGE_TEXT } from '../../contract/page-details.ts'
import { cleanLines } from '../../core/clean-text.ts'
import { createBookmark } from '../bookmarks/create-bookmark.ts'
import { editBookmark } from '../bookmarks/edit-bookmark.ts'
import { findSaved } from '../bookmarks/find-saved.ts'
import type { Ports } from '../ports.ts'

/** `changed` was there, and is as it was shown now; `existing` was there and already so. */
export interface SavedPage {
  status: 'saved' | 'changed' | 'existing'
  bookmark: Bookmark
}

/**
 * Saves what the owner's browser shows, and with it the text of the page. The owner's own bookmark becomes what the owner
 * saw and sent, as one step that can be undone. A bookmark of an organization stays as it is, and the owner gets a private
 * one beside it: keys of the organization would read the page as the owner sees it.
 *
 * @throws Problem `invalid` when the address cannot be saved, or a text is empty
 */
export async function savePage(ports: Ports, { pageText = '', ...request }: SaveRequest): Promise<SavedPage> {
  const saved = await saveOrChange(ports, request)
  const { id, url } = saved.bookmark
  const text = cleanLines(pageText, MOST_PAGE_TEXT)
  if (text !== '' && url !== null && request.type === 'link') await ports.library.saveTabText({ id, url }, text)
  return saved
}

async function saveOrChange(ports: Ports, request: Omit<SaveRequest, 'pageText'>): Promise<SavedPage> {
  const { type, title, description, tags } = request
  const patch = { title, description, tags }
  const there = type === 'text' ? undefined : await findSaved(ports, request.url ?? '')
  if (there && there.organization === null) return change(ports, there.id, patch)
  const { status, bookmark } = await createBookmark(ports, request)
  return status === 'existing' ? change(ports, bookmark.id, patch) : { status, bookmark }
}

async function change(ports: Ports, id: string, patch: Parameters<typeof editBookmark>[2]): Promise<SavedPage> {
  const { bookmark, undo } = await editBookmark(ports, id, patch)
  return { status: undo === null ? 'existing' : 'changed', bookmark }
}
