import type { NewBookmark } from './use-new-bookmark.ts'

/** Where this browser keeps a bookmark that was typed and not saved yet, without its picture. */
const KEY = 'earmark-draft'

let picture: File | undefined

/** Keeps what was typed until it is saved. Nothing typed is nothing kept. */
export function keepDraft(draft: NewBookmark): void {
  const { picture: chosen, ...fields } = draft
  const isEmpty = fields.text.trim() === '' && fields.title.trim() === '' && fields.tags.length === 0 && !chosen
  picture = chosen
  if (isEmpty) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(fields))
}

/** Returns what was typed and not saved. */
export function keptDraft(): NewBookmark | undefined {
  const kept = localStorage.getItem(KEY)
  return kept === null ? undefined : { ...(JSON.parse(kept) as NewBookmark), picture }
}

export function forgetDraft(): void {
  picture = undefined
  localStorage.removeItem(KEY)
}
