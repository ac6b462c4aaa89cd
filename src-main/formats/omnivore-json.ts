import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { byAuthor, joined } from './joined.ts'
import { elements, type JsonNode, JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { stateTags } from './states.ts'

/**
 * A `metadata_*.json` of Omnivore's export, which is a ZIP of them. The text of each page is in a file of its own, after
 * the metadata (packages/api/src/jobs/export.ts).
 */
export const omnivoreJson: ImportFormat<ImportedRecord> = {
  id: 'omnivore',
  name: 'Omnivore',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) && /"savedAt"\s*:/.test(head) && /"(labels|state|slug)"\s*:/.test(head),
  reader: () => jsonReader((found, line) => new JsonRecords(['*'], line, (value, _, at) => found(recordOf(value, at))))
}

function recordOf(value: JsonNode, line: number): ImportedRecord {
  const { title, url, description, author, labels, state, savedAt, slug, ...more } = members(value)
  const createdAt = dateOf(savedAt)
  return {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([textOf(description), byAuthor(textOf(author))]),
    files: slug ? { text: `content/${textOf(slug)}.html`, highlights: `highlights/${textOf(slug)}.md` } : undefined,
    tags: [
      ...elements(labels).map((label) => textOf(label) || textOf(members(label).name)),
      ...stateTags({ archived: textOf(state).toLowerCase() === 'archived' })
    ],
    createdAt,
    dropped: droppedIn({ 'cover pictures': more.thumbnail, 'reading positions': more.readingProgress })
  }
}
