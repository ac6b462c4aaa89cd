import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { textOfHtml } from './html-tags.ts'
import { byAuthor, joined } from './joined.ts'
import { elements, type JsonNode, JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { isSet, stateTags } from './states.ts'

/**
 * wallabag's export: an array of articles with their text. What the reader marked in it is the description.
 */
export const wallabagJson: ImportFormat<ImportedRecord> = {
  id: 'wallabag',
  name: 'wallabag',
  recognises: (head) => /^\s*\[\s*\{/.test(head) && /"is_(archived|starred)"\s*:/.test(head),
  reader: () => jsonReader((found, line) => new JsonRecords(['*'], line, (value, _, at) => found(recordOf(value, at))))
}

function recordOf(value: JsonNode, line: number): ImportedRecord {
  const { title, url, tags, created_at, updated_at, is_archived, is_starred, annotations, content, ...more } =
    members(value)
  const createdAt = dateOf(created_at)
  return {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([...elements(annotations).map(highlightOf), byAuthor(authorsIn(more.published_by))]),
    pageText: textOfHtml(textOf(content)) || undefined,
    tags: [
      ...elements(tags).map((tag) => textOf(tag) || textOf(members(tag).label)),
      ...stateTags({ archived: isSet(is_archived), favorite: isSet(is_starred) })
    ],
    createdAt,
    dropped: droppedIn({
      'times of change': updated_at,
      'cover pictures': more.preview_picture,
      dates: unreadDate(created_at)
    })
  }
}

/** wallabag lists authors, or has the list as a text. */
function authorsIn(value: JsonNode | undefined): string {
  return elements(value).map(textOf).filter(Boolean).join(', ') || textOf(value)
}

/** Returns the marked text, and the reader's note about it. */
function highlightOf(annotation: JsonNode): string {
  const { quote, text } = members(annotation)
  return [textOf(quote), textOf(text)].filter((part) => part.trim() !== '').join('\n')
}
