import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { textOfHtml } from './html-tags.ts'
import { byAuthor, joined } from './joined.ts'
import { elements, type JsonNode, JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { type NamedList, pathOf } from './list-paths.ts'
import { isSet, stateTags } from './states.ts'

/**
 * Karakeep's export: links and texts, with the ids of the lists they are on. The lists stand behind the bookmarks, so
 * what is on one is held until the end.
 */
export const karakeepJson: ImportFormat<ImportedRecord> = {
  id: 'karakeep',
  name: 'Karakeep',
  recognises: (head) =>
    /^\s*\{\s*"(bookmarks|lists)"\s*:\s*\[/.test(head) &&
    /"content"\s*:\s*(null|\{[^{}]*"type"\s*:\s*"(link|text|asset)")|"bookmarks"\s*:\s*\[\s*\]/.test(head),
  reader: () =>
    jsonReader((found, line) => {
      const lists = new Map<string, NamedList>()
      const waiting: { record: ImportedRecord; on: string[] }[] = []

      function take(value: JsonNode, path: string, at: number): void {
        const fields = members(value)
        if (path === 'lists.*') {
          lists.set(textOf(fields.id), { name: textOf(fields.name), parent: textOf(fields.parentId) })
          return
        }
        const record = recordOf(value, at)
        const on = elements(fields.lists).map((one) => textOf(one) || textOf(members(one).id))
        if (on.length === 0) found(record)
        else waiting.push({ record, on })
      }

      return Object.assign(new JsonRecords(['bookmarks.*', 'lists.*'], line, take), {
        end: () =>
          waiting.splice(0).map(({ record, on }) => ({
            ...record,
            tags: [...record.tags, ...on.map((id) => pathOf(lists, id)).filter((path) => path !== '')]
          }))
      })
    })
}

function recordOf(value: JsonNode, line: number): ImportedRecord {
  const { title, tags, content, note, archived, createdAt } = members(value)
  const { type, url, text, sourceUrl, htmlContent, author, description } = members(content)
  const record: ImportedRecord = {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([textOf(note), textOf(description), byAuthor(textOf(author))]),
    pageText: textOfHtml(textOf(htmlContent)) || undefined,
    tags: [
      ...elements(tags).map((tag) => textOf(tag) || textOf(members(tag).name)),
      ...stateTags({ archived: isSet(archived) })
    ],
    createdAt: dateOf(createdAt),
    dropped: droppedIn({ dates: unreadDate(createdAt) })
  }
  if (type === 'text') return { ...record, type: 'text', content: textOf(text), url: textOf(sourceUrl) }
  if (type === 'asset' || content === null) {
    return { ...record, fault: 'an image or a document, which Karakeep leaves out of its export' }
  }
  return record
}
