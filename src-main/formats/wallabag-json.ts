import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf } from './dates.ts'
import { elements, type JsonNode, JsonRecords, jsonReader, members, textOf } from './json-records.ts'

/** wallabag's export: an array of articles. Their full text is left out: it is a copy of the page. */
export const wallabagJson: ImportFormat<ImportedRecord> = {
  id: 'wallabag',
  name: 'wallabag',
  recognises: (head) => /^\s*\[\s*\{/.test(head) && /"is_(archived|starred)"\s*:/.test(head),
  reader: () => jsonReader((found, line) => new JsonRecords(['*'], line, (value, _, at) => found(recordOf(value, at))))
}

function recordOf(value: JsonNode, line: number): ImportedRecord {
  const { title, url, tags, created_at } = members(value)
  const createdAt = dateOf(created_at)
  return {
    line,
    url: textOf(url),
    title: textOf(title),
    description: '',
    tags: elements(tags).map((tag) => textOf(tag) || textOf(members(tag).label)),
    createdAt
  }
}
