import type { ImportedEntry, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { joined } from './joined.ts'
import { elements, type JsonNode, jsonReader, members, textOf } from './json-records.ts'
import { jsonTree } from './json-tree.ts'

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
