import type { BookmarkDraft, SavedBookmark } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { type Address, holdsLogin, parseMentioned } from '../../core/address.ts'
import { cut } from '../../core/clean-text.ts'
import { createPauses } from '../pauses.ts'
import type { Ports } from '../ports.ts'
import { placementFor } from './bookmark-fields.ts'

/** Enough to say what is wrong, in UTF-16 code units, however many addresses are. */
const LONGEST_FAULT = 4000

/** The result for each address, in the order they were given. */
export interface SaveReport {
  saved: number
  existing: number
  invalid: number
  bookmarks: SavedAddress[]
  /** The call's row in its key's ledger, where it was made with a key. */
  callId?: number
}

type SavedAddress = { url: string } & ((SavedBookmark & { note?: string }) | { status: 'invalid'; reason: string })

/**
 * Saves pages by their addresses. One bad address never fails the others; a page that is already there stays as it is.
 *
 * @throws Problem `forbidden` when the caller may only read, `invalid` when no address is any good
 */
export async function saveBookmarks(ports: Ports, caller: Caller, urls: string[]): Promise<SaveReport> {
  if (caller.readOnly) throw new Problem('forbidden', READ_ONLY)
  const pause = createPauses()
  const addresses: Address[] = []
  for (const url of urls) {
    addresses.push(parseMentioned(url))
    await pause()
  }
  const drafts = addresses
    .filter((address) => 'url' in address)
    .map((address) => linkDraft(address, caller, ports.now()))
  if (drafts.length === 0) {
    const faults = addresses.map((address, index) => `urls[${index}]: ${faultOf(address)}`)
    throw new Problem('invalid', cut(faults.join('; '), LONGEST_FAULT))
  }
  const placement = await placementFor(ports, caller)
  if (caller.keyId === undefined) return report(urls, addresses, await ports.library.saveBookmarks(placement, drafts))
  const call = { keyId: caller.keyId, client: caller.client ?? null, tool: 'bookmarks.insert' }
  const { saved, callId } = await ports.library.saveForCall(placement, drafts, call)
  return { ...report(urls, addresses, saved), callId }
}

function report(urls: string[], addresses: Address[], saved: SavedBookmark[]): SaveReport {
  const rest = saved.values()
  const bookmarks = urls.map((url, index): SavedAddress => {
    const address = addresses[index]
    const outcome = address && 'url' in address ? rest.next().value : undefined
    if (!outcome) return { url, status: 'invalid', reason: faultOf(address) }
    return holdsLogin(url) ? { url, ...outcome, note: WITHOUT_LOGIN } : { url, ...outcome }
  })
  const count = (status: SavedAddress['status']) => bookmarks.filter((one) => one.status === status).length
  return { saved: count('saved'), existing: count('existing'), invalid: count('invalid'), bookmarks }
}

function faultOf(address: Address | undefined): string {
  return address && 'fault' in address ? address.fault : ''
}

function linkDraft(address: Extract<Address, { url: string }>, { tags = [] }: Caller, now: number): BookmarkDraft {
  return { ...address, type: 'link', title: '', description: '', content: '', tags, createdAt: now }
}

const WITHOUT_LOGIN = 'kept without the user name and password in it'

const READ_ONLY =
  'This key is read-only: it lacks the right to insert bookmarks. Nothing was saved. The user can make a key that may, in ' +
  'Earmark under Profile, API Keys.'
