import type { ImportedEntry, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn, isSeparator, joined } from './fields.ts'
import { elements, type JsonNode, jsonReader, members, textOf } from './json-records.ts'
import { jsonTree } from './json-tree.ts'

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

/** How Firefox's nodes name what they are. */
const [BOOKMARK, FOLDER, SEPARATOR] = [1, 2, 3]
const CONTAINER = 'text/x-moz-place-container'

/** The backup Firefox writes: a tree of `children`, dates in microseconds, tags as a text with commas. */
export const firefoxJson: ImportFormat<ImportedEntry> = {
  id: 'firefox',
  name: 'Firefox backup',
  recognises: (head) =>
    /^\s*\{/.test(head) && /"typeCode"\s*:\s*\d|"root"\s*:\s*"placesRoot"|"text\/x-moz-place/.test(head),
  reader: () =>
    jsonReader<ImportedEntry>((found, line) =>
      jsonTree(
        {
          isRoot: (path) => path === '*' || path === '*.children.*',
          // The tags of a bookmark are in the bookmark too; this only repeats them.
          leftOut: (root) => (root.root === 'tagsFolder' || root.guid === 'tags________' ? 'repeated' : undefined),
          nameOf: (fields) => textOf(fields.title),
          indexOf: ({ index }) => (typeof index === 'number' ? index : undefined),
          isBookmark: ({ typeCode, type, uri }) =>
            typeCode === BOOKMARK || type === 'text/x-moz-place' || typeof uri === 'string',
          recordOf({ typeCode, type, uri, title, tags, annos, dateAdded, ...more }, line) {
            if (typeCode === SEPARATOR || type === 'text/x-moz-place-separator') return { line, skipped: 'separators' }
            // A live bookmark (until Firefox 64) is a folder whose bookmarks come from a feed.
            const feed = annotation(annos, 'livemark/feedURI')
            if (
              feed === '' &&
              (typeCode === FOLDER ||
                type === CONTAINER ||
                (type === undefined && typeCode === undefined && uri === undefined))
            )
              return undefined
            const url = textOf(uri) || annotation(annos, 'livemark/siteURI') || feed
            const about = annotation(annos, 'bookmarkProperties/description')
            return {
              line,
              url,
              title: textOf(title),
              description: joined([about, feed === '' || feed === url ? '' : `Feed: ${feed}`]),
              tags: textOf(tags)
                .split(',')
                .filter((tag) => tag.trim() !== ''),
              createdAt: dateOf(dateAdded),
              dropped: droppedIn({
                icons: more.iconUri,
                keywords: more.keyword,
                'times of change': more.lastModified,
                dates: unreadDate(dateAdded)
              })
            }
          }
        },
        found,
        line
      )
    )
}

/** The value of one of the notes that Firefox keeps about a node. */
function annotation(annos: JsonNode | undefined, name: string): string {
  const found = elements(annos).find((anno) => members(anno).name === name)
  return textOf(members(found).value)
}
