import type { StoredLink } from '../../contract/link-check.ts'
import type { StoredPage, TextLayout } from '../../contract/page-details.ts'
import { Problem } from '../../contract/problem.ts'
import { findBookmark } from '../bookmarks/find-bookmark.ts'
import type { Ports } from '../ports.ts'

/**
 * How it stands with a bookmark's page: it is yet to be read, or would be if fetching were on; it was read, or could not
 * be. `none` is for bookmarks without a page.
 */
type PageStatus = 'none' | 'off' | 'pending' | 'done' | 'failed'

/** A bookmark's page, as far as it is known. */
export type PageOfBookmark =
  | { status: 'none' }
  | ({ status: Exclude<PageStatus, 'none'> } & Omit<StoredPage, 'state'> & { link: StoredLink | null })

/** @throws Problem `not-found` */
export async function pageOfBookmark(ports: Ports, id: string): Promise<PageOfBookmark> {
  const page = await ports.library.findPage(id)
  if (!page) {
    await findBookmark(ports, id)
    return { status: 'none' }
  }
  const { state, ...rest } = page
  return { status: await statusOf(ports, page), ...rest, link: (await ports.library.findLink(id)) ?? null }
}

async function statusOf(ports: Ports, { due, state }: StoredPage): Promise<Exclude<PageStatus, 'none'>> {
  if (due === null) return state === 'failed' ? 'failed' : 'done'
  return (await isFetchingOn(ports)) ? 'pending' : 'off'
}

/**
 * Lets a bookmark's page be read again, before all others.
 *
 * @throws Problem `not-found`; `invalid` when the bookmark has no page, lies in the trash, or fetching is off
 */
export async function readPageAgain(ports: Ports, id: string): Promise<void> {
  const { deletedAt } = await findBookmark(ports, id)
  if (deletedAt !== null) throw new Problem('invalid', 'This bookmark is in the trash. Restore it first.')
  if (!(await isFetchingOn(ports))) throw new Problem('invalid', 'Fetching page details is switched off.')
  if (!(await ports.library.askForPage(id, ports.now()))) throw new Problem('invalid', 'This bookmark has no page.')
}

/** The text of a bookmark's page, and how it was set out; empty where none is kept. */
export async function textOfPage(ports: Ports, id: string): Promise<{ text: string; layout: TextLayout | null }> {
  const texts = await ports.library.readPageTexts([id])
  const text = texts.get(id)
  if (text === undefined) await findBookmark(ports, id)
  return { text: text ?? '', layout: await ports.library.readTextLayout(id) }
}

/** How many pages are yet to be read, as far as they are counted; 0 while fetching is off. */
export async function countPagesToRead(ports: Ports): Promise<number> {
  return (await isFetchingOn(ports)) ? ports.library.countPagesToRead() : 0
}

/** Whether pages are fetched: the owner and how Earmark was started allow it. */
export async function isFetchingOn({ library, web }: Ports): Promise<boolean> {
  return web !== undefined && (await library.readSettings()).fetchDetails
}
