import type { ImportedEntry, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { jsonReader, members, textOf } from './json-records.ts'
import { jsonTree } from './json-tree.ts'
import { isSeparator } from './states.ts'

/** The file Chrome and its relatives keep their bookmarks in: `{"roots":{"bookmark_bar":{"children":[...]}}}`. */
export const chromeJson: ImportFormat<ImportedEntry> = {
  id: 'chrome',
  name: 'Chrome bookmarks',
  recognises: (head) => /^\s*\{/.test(head) && /"roots"\s*:\s*\{\s*"\w+"\s*:\s*\{/.test(head),
  reader: () =>
    jsonReader<ImportedEntry>((found, line) =>
      jsonTree(
        {
          // Opera has roots within a root of its own (`custom_root`).
          isRoot: (path) => !/\.(children|meta_info)(\.|$)/.test(path),
          leftOut: (_, name) => (name === 'trash' ? 'bookmarks in the browser’s trash' : undefined),
          nameOf: (fields) => textOf(fields.name),
          indexOf: () => undefined,
          isBookmark: ({ type, url }) => type === 'url' || typeof url === 'string',
          recordOf({ type, name, url, date_added, meta_info }, line) {
            if (type === 'folder' || (type === undefined && url === undefined)) return undefined
            if (isSeparator(textOf(url))) return { line, skipped: 'separators' }
            const more = members(meta_info)
            return {
              line,
              url: textOf(url),
              title: textOf(name),
              description: textOf(more.Description) || textOf(more.description),
              tags: [],
              createdAt: dateOf(date_added),
              dropped: droppedIn({ keywords: more.Nickname, dates: unreadDate(date_added) })
            }
          }
        },
        found,
        line
      )
    )
}
