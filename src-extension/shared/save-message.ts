import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { HostAnswers, HostQuestion, ShownPage } from '../../src-main/contract/extension.ts'

export type PageToSave = Extract<HostQuestion, { ask: 'save' }>['page']

/** The popup's message to the background script, which continues if the popup closes. */
export interface SaveMessage {
  tabId: number
  page: PageToSave & { url: string }
  /** Whether the text and the selection of the tab are in `page`. If not, the background script reads them. */
  read: boolean
  /** Whether the popup showed the bookmark of the page: then `page` replaces its fields. If not, it is added to them. */
  shown: boolean
  /** Whether the owner changed the title. */
  titled: boolean
  /** Whether a copy of the page is saved too. */
  copy: boolean
}

/** `copyFault`: why the copy was not saved. The page is saved. */
export type SaveOutcome = { status: HostAnswers['save']['status']; copyFault?: string } | { error: string }

/** Returns the page to save. Keeps the texts and tags of its bookmark, which the owner has not seen, and adds the new ones. */
export function withKept({ page, titled }: Pick<SaveMessage, 'page' | 'titled'>, kept: ShownPage | null): PageToSave {
  if (!kept) return page
  return {
    ...page,
    title: titled ? page.title : kept.title || page.title,
    description: joined(kept.description, page.description ?? ''),
    tags: [...kept.tags, ...(page.tags ?? [])]
  }
}

/** Joins a description and a text that is added, shortened to the maximum length. */
export function joined(before: string, added: string): string {
  const parts = before.includes(added) ? [before] : [before, added]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return text.length <= LIMITS.description ? text : `${text.slice(0, LIMITS.description - 1)}…`
}
