/**
 * Edits in the browser's storage, so that they outlive their page: a draft for each page and bookmark. Only the page that
 * owns a draft changes it. A page takes over those of the page that its tab showed before, and those of closed tabs.
 */
import { t } from '@lingui/core/macro'
import { copyText } from '../ui/copy.ts'
import { notify } from '../ui/notify.tsx'
import { dropSaved, type Edits, listOpen } from './edits.ts'

const PREFIX = 'earmark-draft'

/** The session storage key of the id of the page that a tab shows. */
const PAGE_KEY = 'earmark-page'

const thisPage = crypto.randomUUID()
const previousPage = sessionStorage.getItem(PAGE_KEY)
sessionStorage.setItem(PAGE_KEY, thisPage)

const keyOf = (id: string) => `${PREFIX} ${thisPage} ${id}`

/** @param edits if the library has all of them, the draft is removed */
export function writeDraft(id: string, edits: Edits): void {
  if (listOpen(edits).length === 0) localStorage.removeItem(keyOf(id))
  else localStorage.setItem(keyOf(id), JSON.stringify(dropSaved(edits)))
}

export function readDraft(id: string): Edits {
  return JSON.parse(localStorage.getItem(keyOf(id)) ?? '{}')
}

/** Returns the ids of the bookmarks of which this page has a draft. */
export function listDrafts(): string[] {
  return listAll()
    .filter(({ page }) => page === thisPage)
    .map(({ id }) => id)
}

/** Offers to copy or discard the draft of a bookmark that was deleted permanently. */
export function offerDraft(id: string, edits: Edits): void {
  const typed = listOpen(edits).map(([field, edit]) => (field === 'place' ? '' : String(edit.typed)))
  const drop = () => writeDraft(id, {})
  const copy = () => void copyText(typed.filter(Boolean).join('\n')).then((isCopied) => isCopied && drop())
  const reason = t`This bookmark is no longer there.`
  notify(t`What you typed is kept, but not saved: ${reason}`, [
    { label: t`Copy`, run: copy },
    { label: t`Discard`, run: drop }
  ])
}

/** Maximum wait for this tab's previous page to close, in ms. In a duplicated tab that page stays open. */
const LEAVING_MS = 1000

/**
 * Takes over the drafts of the page that this tab showed before, and those of closed tabs.
 *
 * @param onTaken called with the id of each bookmark whose draft is now this page's
 */
export async function takeOverDrafts(onTaken: (id: string) => void): Promise<void> {
  const others = new Set(listAll().map(({ page }) => page))
  others.delete(thisPage)
  for (const page of others) {
    const wait = page === previousPage ? { signal: AbortSignal.timeout(LEAVING_MS) } : { ifAvailable: true }
    const taking = navigator.locks.request(lockOf(page), wait, (lock) => {
      if (lock) takeOver(page, onTaken)
    })
    await taking.catch(() => {}) // the page is still open
  }
}

/** Takes over drafts. If this page already has a draft of a bookmark, the other draft stays for a later page. */
function takeOver(from: string, onTaken: (id: string) => void): void {
  for (const { page, id, key } of listAll()) {
    const draft = localStorage.getItem(key)
    if (page !== from || draft === null || localStorage.getItem(keyOf(id)) !== null) continue
    localStorage.setItem(keyOf(id), draft)
    localStorage.removeItem(key)
    onTaken(id)
  }
}

function listAll() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(`${PREFIX} `))
    .map((key) => {
      const [, page = '', id = ''] = key.split(' ')
      return { key, page, id }
    })
}

/** The lock that a page holds while it is open, so that other tabs do not take its drafts. */
const lockOf = (page: string) => `${PREFIX} ${page}`

function lockDrafts(): void {
  const closed = new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }))
  void navigator.locks.request(lockOf(thisPage), () => closed)
}

lockDrafts()
// After Back, the browser may restore this page, which released its lock on `pagehide`.
addEventListener('pageshow', ({ persisted }) => persisted && lockDrafts())
