import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { ShownPage } from '../../src-main/contract/extension.ts'
import type { PageToSave, SaveMessage } from './save-message.ts'

/** A page as it is to be saved where something of it may be kept that its owner was not shown: none of that is lost. */
export function withKept({ page, titled }: Pick<SaveMessage, 'page' | 'titled'>, kept: ShownPage | null): PageToSave {
  if (!kept) return page
  return {
    ...page,
    title: titled ? page.title : kept.title || page.title,
    description: joined(kept.description, page.description ?? ''),
    tags: [...kept.tags, ...(page.tags ?? [])]
  }
}

/** A description with what is added to it, as far as there is room. */
export function joined(before: string, added: string): string {
  const parts = before.includes(added) ? [before] : [before, added]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return text.length <= LIMITS.description ? text : `${text.slice(0, LIMITS.description - 1)}…`
}
