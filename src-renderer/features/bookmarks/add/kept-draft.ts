import type { NewBookmark } from './use-new-bookmark.ts'

/** Where this browser keeps a bookmark that was typed and not saved yet, without its picture. */
const KEY = 'earmark-draft'

let picture: File | undefined

/** Stores the fields until they are saved. Tags alone are no draft: they would go to the next bookmark by mistake. */
export function keepDraft(draft: NewBookmark): void {
  const { picture: chosen, ...fields } = draft
  const isEmpty = fields.text.trim() === '' && fields.title.trim() === '' && !chosen
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
