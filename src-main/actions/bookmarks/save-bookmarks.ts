import { type Bookmark, type BookmarkDraft, LIMITS, type SavedBookmark } from '../../contract/bookmark.ts'
import type { BookmarkPatch, BookmarkRequest, EditedBookmark } from '../../contract/bookmark-change.ts'
import { type Caller, PROFILE } from '../../contract/caller.ts'
import type { SaveRequest } from '../../contract/extension.ts'
import { MAX_PAGE_MARKDOWN } from '../../contract/page-details.ts'
import { invalidFields, Problem } from '../../contract/problem.ts'
import { type Address, holdsLogin, parseMentioned } from '../../core/address.ts'
import { cleanLines, cleanText, cut, foldName } from '../../core/clean-text.ts'
import { inBatches } from '../long-work.ts'
import type { Ports } from '../ports.ts'
import { addressFields, choosePlace, cleanTags, contentField, placementFor, titleFor } from './bookmark-fields.ts'
import { changeBookmarks } from './change-bookmarks.ts'
import { findBookmark, findSaved } from './read-bookmark.ts'

/** Number of addresses that are parsed at once. The longest take about 1 ms each. */
const PARSED_AT_ONCE = 25

/** Maximum length of an error about addresses, in UTF-16 code units. */
const MAX_FAULT_LENGTH = 4000

/** The results of saving addresses, in the order of the addresses. */
export interface SaveReport {
  saved: number
  existing: number
  invalid: number
  bookmarks: SavedAddress[]
  /** The call’s row in its key’s ledger, if it was made with a key. */
  callId?: number
}

type SavedAddress = { url: string } & ((SavedBookmark & { note?: string }) | { status: 'invalid'; reason: string })

/** Fields that a caller sends with the addresses. A title and a description are for a single address. */
export interface SaveDetails {
  tags?: string[]
  title?: string | undefined
  description?: string | undefined
}

/**
 * Saves pages by their addresses. Invalid addresses do not prevent the others; pages that exist stay unchanged.
 *
 * @throws Problem `forbidden` if the caller may only read, `invalid` if no address is valid, or several have one title
 */
export async function saveAddresses(
  ports: Ports,
  caller: Caller,
  urls: string[],
  details: SaveDetails = {}
): Promise<SaveReport> {
  if (caller.readOnly) throw new Problem('forbidden', READ_ONLY)
  if (urls.length > 1 && (details.title ?? details.description)) throw new Problem('invalid', ONE_PAGE)
  const addresses: Address[] = []
  await inBatches(urls, PARSED_AT_ONCE, (batch) => addresses.push(...batch.map(parseMentioned)))
  const drafts = addresses
    .filter((address) => 'url' in address)
    .map((address) => linkDraft(address, caller, details, ports.now()))
  if (drafts.length === 0) {
    const faults = addresses.map((address, index) => `urls[${index}]: ${faultOf(address)}`)
    throw new Problem('invalid', cut(faults.join('; '), MAX_FAULT_LENGTH))
  }
  const placement = await placementFor(ports, caller)
  const hasDetails = Object.values(details).some((value) => value !== undefined && value.length > 0)
  const note = hasDetails ? KEPT : undefined
  if (caller.keyId === undefined) {
    return report(urls, addresses, await ports.library.saveBookmarks(placement, drafts), note)
  }
  const call = { keyId: caller.keyId, client: caller.client ?? null, tool: 'bookmarks.insert' }
  const { saved, callId } = await ports.library.saveForCall(placement, drafts, call)
  return { ...report(urls, addresses, saved, note), callId }
}

/** @param noteOfExisting about pages that were saved before */
function report(
  urls: string[],
  addresses: Address[],
  saved: SavedBookmark[],
  noteOfExisting: string | undefined
): SaveReport {
  const rest = saved.values()
  const bookmarks = urls.map((url, index): SavedAddress => {
    const address = addresses[index]
    const outcome = address && 'url' in address ? rest.next().value : undefined
    if (!outcome) return { url, status: 'invalid', reason: faultOf(address) }
    const notes = [holdsLogin(url) && WITHOUT_LOGIN, outcome.status === 'existing' && noteOfExisting].filter(Boolean)
    return { url, ...outcome, ...(notes.length > 0 && { note: notes.join('; ') }) }
  })
  const count = (status: SavedAddress['status']) => bookmarks.filter((bookmark) => bookmark.status === status).length
  return { saved: count('saved'), existing: count('existing'), invalid: count('invalid'), bookmarks }
}

function faultOf(address: Address | undefined): string {
  return address && 'fault' in address ? address.fault : ''
}

function linkDraft(
  address: Extract<Address, { url: string }>,
  caller: Caller,
  { tags = [], title = '', description = '' }: SaveDetails,
  now: number
): BookmarkDraft {
  return {
    ...address,
    type: 'link',
    title: cleanText(title, LIMITS.title),
    description: cleanLines(description, LIMITS.description),
    content: '',
    tags: cleanTags([...(caller.tags ?? []), ...tags]),
    createdAt: now
  }
}

const WITHOUT_LOGIN = 'kept without the user name and password in it'
const KEPT = 'was saved before, and stays as it was'
const ONE_PAGE = 'title and description are about one page: save each page with its own in a call'

const READ_ONLY =
  'This key is read-only: it lacks the right to insert bookmarks. Nothing was saved. The user can make a key that may, in ' +
  'Earmark under Profile, API Keys.'

/** `saved`: the bookmark is new, or was restored from the trash. `existing`: it existed before, and is unchanged. */
export interface CreatedBookmark {
  status: SavedBookmark['status']
  bookmark: Bookmark
}

/**
 * Saves a bookmark of any type as the owner describes it.
 *
 * @throws Problem `invalid` if a field that its type needs is missing or invalid, `not-found` if there is no such
 *   organization
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

export interface CapturedBookmark extends CreatedBookmark {
  addedTags: string[]
  /** The undo step of the added tags; `null` if none was added to an existing bookmark. */
  undo: number | null
}

/**
 * Saves a bookmark for quick capture. If the bookmark exists, it only gets the tags that it lacks.
 *
 * @throws Problem as `createBookmark`, and `invalid` if an existing bookmark has no room for the tags
 */
export async function captureBookmark(ports: Ports, request: BookmarkRequest): Promise<CapturedBookmark> {
  const created = await createBookmark(ports, request)
  const present = new Set(created.bookmark.tags.map(foldName))
  const addedTags = cleanTags(request.tags ?? []).filter((tag) => !present.has(foldName(tag)))
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
 * Changes fields of a bookmark, as one undo step.
 *
 * @throws Problem `not-found`; `invalid` if the bookmark is in the trash or a value does not fit its type; `taken` if
 *   another bookmark is that page; `conflict` if the bookmark changed since the version that was read
 */
export async function editBookmark(ports: Ports, id: string, patch: BookmarkPatch): Promise<EditedBookmark> {
  const { type, picture } = await findBookmark(ports, id)
  const { title, description, url, content, tags, formerTags, version } = patch
  if (picture !== null && url?.trim())
    throw invalidFields([{ path: ['url'], message: 'a stored picture has no address' }])
  const place = await choosePlace(ports, patch)
  const edited = await ports.library.editBookmark(
    id,
    {
      title: title === undefined ? undefined : cleanText(title, LIMITS.title),
      description: description === undefined ? undefined : cleanLines(description, LIMITS.description),
      address: url === undefined || picture !== null ? undefined : addressFields(type, url),
      content: content === undefined ? undefined : contentField(type, content),
      tags: tags && cleanTags(tags),
      formerTags: formerTags && cleanTags(formerTags),
      place,
      version: version === undefined ? undefined : Date.parse(version)
    },
    ports.now()
  )
  return { bookmark: await findBookmark(ports, id), undo: edited?.undo ?? null }
}

/** `changed`: the bookmark existed, and got the fields that the browser sent. `existing`: it needed no change. */
export interface SavedPage {
  status: 'saved' | 'changed' | 'existing'
  bookmark: Bookmark
}

/**
 * Saves the page that the owner’s browser shows, with its text. The profile’s bookmark of the page gets the sent
 * fields, as one undo step. An organization’s bookmark stays unchanged, and the owner gets a private one, because keys
 * of the organization could otherwise read the page as the owner sees it.
 *
 * @throws Problem `invalid` if the address cannot be saved, or a text is empty
 */
export async function savePage(ports: Ports, { pageText = '', ...request }: SaveRequest): Promise<SavedPage> {
  const saved = await saveOrEdit(ports, request)
  const { id, url } = saved.bookmark
  const markdown = cleanLines(pageText, MAX_PAGE_MARKDOWN)
  if (markdown !== '' && url !== null && request.type === 'link') {
    // Loaded only here, because a parser of Markdown would delay each start.
    const { pageTextOf } = await import('../../markdown/blocks.ts')
    await ports.library.saveTabText({ id, url }, pageTextOf(markdown), ports.now())
  }
  return saved
}

async function saveOrEdit(ports: Ports, request: Omit<SaveRequest, 'pageText'>): Promise<SavedPage> {
  const { type, title, description, tags } = request
  const present = type === 'text' ? undefined : await findSaved(ports, request.url ?? '')
  let id = present?.organization === null ? present.id : undefined
  if (id === undefined) {
    const { status, bookmark } = await createBookmark(ports, request)
    if (status === 'saved') return { status, bookmark }
    id = bookmark.id
  }
  const { bookmark, undo } = await editBookmark(ports, id, { title, description, tags })
  return { status: undo === null ? 'existing' : 'changed', bookmark }
}

/** Moves the profile’s bookmark of a page to the trash. Returns false if there is none; an organization’s stays. */
export async function removePage(ports: Ports, url: string): Promise<boolean> {
  const bookmark = await findSaved(ports, url)
  if (!bookmark || bookmark.organization !== null) return false
  const { changed } = await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  return changed > 0
}
