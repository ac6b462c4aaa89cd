import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { elements, type JsonNode, jsonReader, members, textOf } from './json-records.ts'
import { jsonTree } from './json-tree.ts'

/** How Firefox's nodes name what they are. */
const BOOKMARK = 1

/** The backup Firefox writes: a tree of `children`, dates in microseconds, tags as a text with commas. */
export const firefoxJson: ImportFormat<ImportedRecord> = {
  id: 'firefox',
  name: 'Firefox backup',
  recognises: (head) =>
    /^\s*\{/.test(head) && /"(typeCode|root)"\s*:|"text\/x-moz-place/.test(head) && !/"roots"/.test(head),
  reader: () =>
    jsonReader((found, line) =>
      jsonTree(
        {
          isRoot: (path) => path === '*' || path === '*.children.*',
          // The tags of a bookmark stand with the bookmark; this only says the same once more.
          isLeftOut: (root) => root.root === 'tagsFolder' || root.guid === 'tags________',
          nameOf: (fields) => textOf(fields.title),
          indexOf: ({ index }) => (typeof index === 'number' ? index : undefined),
          recordOf: ({ typeCode, type, uri, title, tags, annos, dateAdded, ...more }, at) => {
            if (typeCode !== BOOKMARK && type !== 'text/x-moz-place' && uri === undefined) return undefined
            const createdAt = dateOf(dateAdded)
            return {
              line: at,
              url: textOf(uri),
              title: textOf(title),
              description: descriptionIn(annos),
              tags: textOf(tags)
                .split(',')
                .filter((tag) => tag.trim() !== ''),
              createdAt,
              dropped: droppedIn({
                icons: more.iconUri,
                keywords: more.keyword,
                'times of change': more.lastModified
              })
            }
          }
        },
        found,
        line
      )
    )
}

function descriptionIn(annos: JsonNode | undefined): string {
  const found = elements(annos).find((anno) => members(anno).name === 'bookmarkProperties/description')
  return textOf(members(found).value)
}
