import type { Bookmark } from '../../contract/bookmark.ts'
import type { SaveRequest } from '../../contract/extension.ts'
import { MOST_PAGE_TEXT } from '../../contract/page-details.ts'
import { cleanLines } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'
import { changeBookmarks } from '../bookmarks/change-bookmarks.ts'
import { createBookmark, editBookmark } from '../bookmarks/create-bookmark.ts'
import { findSaved } from '../bookmarks/read-bookmark.ts'
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

/** Moves the profile's bookmark of a page to the trash; false where there is none. One of an organization stays. */
export async function removePage(ports: Ports, url: string): Promise<boolean> {
  const there = await findSaved(ports, url)
  if (!there || there.organization !== null) return false
  const { changed } = await changeBookmarks(ports, { ids: [there.id], change: { kind: 'delete' } })
  return changed > 0
}

/** As many as can be looked through at a glance. */
const MAX_TAGS = 8

/** The tags that what was typed may become: those that begin with it, then those that hold it, each the most used first. */
export async function completeTag({ library }: Ports, typed: string): Promise<string[]> {
  const part = foldName(typed.trim().replace(/^#(?!\ufe0f)/, ''))
  const tags = (await library.listTags()).toSorted((a, b) => b.bookmarks - a.bookmarks)
  const names = tags.map(({ name }) => ({ name, at: foldName(name).indexOf(part) }))
  const [first, later] = [names.filter(({ at }) => at === 0), names.filter(({ at }) => at > 0)]
  return [...first, ...later].slice(0, MAX_TAGS).map(({ name }) => name)
}
