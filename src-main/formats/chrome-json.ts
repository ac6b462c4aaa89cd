import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { chromeDate } from './dates.ts'
import { jsonReader, textOf } from './json-records.ts'
import { jsonTree } from './json-tree.ts'

/** The file Chrome and its relatives keep their bookmarks in: `{"roots":{"bookmark_bar":{"children":[...]}}}`. */
export const chromeJson: ImportFormat<ImportedRecord> = {
  id: 'chrome',
  name: 'Chrome bookmarks',
  recognises: (head) => /^\s*\{/.test(head) && /"roots"\s*:\s*\{\s*"\w+"\s*:\s*\{/.test(head),
  reader: () =>
    jsonReader((found, line) =>
      jsonTree(
        {
          isRoot: (path) => /^\*\.roots\.[^.]*$/.test(path),
          isLeftOut: () => false,
          nameOf: (fields) => textOf(fields.name),
          indexOf: () => undefined,
          recordOf: ({ type, name, url, date_added }, at) => {
            if (type === 'folder' || (type !== 'url' && url === undefined)) return undefined
            const createdAt = chromeDate(date_added)
            return {
              line: at,
              url: textOf(url),
              title: textOf(name),
              description: '',
              tags: [],
              createdAt
            }
          }
        },
        found,
        line
      )
    )
}
