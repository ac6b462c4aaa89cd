import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { byAuthor, joined } from './joined.ts'
import { elements, type JsonNode, JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { stateTags } from './states.ts'

/**
 * A file `annotations/*.json` of Pocket's export, which holds what its reader marked. The bookmarks themselves are in
 * tables before it, so each record is one for a page that is there, and its text joins that page's description.
 */
export const pocketHighlights: ImportFormat<ImportedRecord> = {
  id: 'pocket-highlights',
  name: 'Pocket’s highlights',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) &&
    /"highlights"\s*:\s*\[/.test(head) &&
    /"quote"\s*:/.test(head) &&
    /"url"\s*:/.test(head),
  reader: () =>
    jsonReader(
      (found, line) =>
        new JsonRecords(['*'], line, (value, _, at) => {
          const { url, title, highlights } = members(value)
          const all = elements(highlights).map(members)
          found({
            line: at,
            url: textOf(url),
            title: textOf(title),
            description: joined(all.map(({ quote }) => textOf(quote))),
            tags: [],
            createdAt: dateOf(all[0]?.created_at)
          })
        })
    )
}

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
    dropped: droppedIn({
      'cover pictures': more.thumbnail,
      'reading positions': more.readingProgress,
      dates: unreadDate(savedAt)
    })
  }
}
