import { LIMITS } from '../../contract/bookmark.ts'
import type { ImportedRecord } from '../../contract/import-format.ts'
import type { Dropped } from '../../contract/import-report.ts'
import type { ImportDraft } from '../../contract/library-import.ts'
import { cleanLines, cleanTag, cleanText } from '../../core/clean-text.ts'

/** What of a record its draft does not keep: what there is no room for, and the ends of what is too long. */
export function droppedOf(
  { title, description, content = '', tags, dropped = [] }: ImportedRecord,
  draft: ImportDraft
) {
  const all: Dropped[] = [...dropped]
  if (isLonger(title, LIMITS.title, cleanText)) all.push('ends of long titles')
  if (draft.description !== '' && isLonger(description, LIMITS.description, cleanLines)) {
    all.push('ends of long descriptions')
  }
  const text = draft.type === 'text' && content === '' ? description : content
  if (isLonger(text, LIMITS.content, cleanLines)) all.push('ends of long texts')
  if (tags.some((tag) => isLonger(tag, LIMITS.tag, cleanTag))) all.push('ends of long tags')
  if (tags.length > LIMITS.tags && draft.tags.length === LIMITS.tags) all.push('tags beyond the 64th')
  return all
}

/** Whether anything is left out of a text; nearly all are short, and only the others are cleaned once more. */
function isLonger(text: string, limit: number, clean: (text: string, limit: number) => string): boolean {
  return text.length > limit && clean(text, text.length).length > limit
}
