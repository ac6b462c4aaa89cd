import type { ImportedEntry, ImportFormat } from '../contract/import-format.ts'
import type { Skipped } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'
import { droppedIn, FolderPath, folderName, isSeparator, joined, readDate, unreadDate } from './fields.ts'

/** The bookmark file of Chromium-based browsers: `{"roots":{"bookmark_bar":{"children":[...]}}}`. */
export const chromeJson: ImportFormat<ImportedEntry> = {
  id: 'chrome',
  name: 'Chrome bookmarks',
  recognises: (head) => /^\s*\{/.test(head) && /"roots"\s*:\s*\{\s*"\w+"\s*:\s*\{/.test(head),
  read: (text) =>
    readTree(parseJson(text), {
      // Opera has roots within the root `custom_root`.
      hasRoots: (_, key) => key !== 'children',
      leftOut: (_, key) => (key === 'trash' ? 'bookmarks in the browser’s trash' : undefined),
      nameOf: (fields) => toText(fields.name),
      indexOf: () => undefined,
      isBookmark: ({ type, url }) => type === 'url' || typeof url === 'string',
      recordOf({ type, name, url, date_added, meta_info }) {
        if (type === 'folder' || (type === undefined && url === undefined)) return undefined
        if (isSeparator(toText(url))) return { skipped: 'separators' }
        const more = members(meta_info)
        return {
          url: toText(url),
          title: toText(name),
          description: toText(more.Description) || toText(more.description),
          tags: [],
          createdAt: readDate(date_added),
          dropped: droppedIn({ keywords: more.Nickname, dates: unreadDate(date_added) })
        }
      }
    })
}

/** The values of `typeCode` in Firefox's nodes. */
const [BOOKMARK, FOLDER, SEPARATOR] = [1, 2, 3]
const CONTAINER = 'text/x-moz-place-container'

/** The backup of Firefox: a tree of `children`, with dates in microseconds, and tags as a text with commas. */
export const firefoxJson: ImportFormat<ImportedEntry> = {
  id: 'firefox',
  name: 'Firefox backup',
  recognises: (head) =>
    /^\s*\{/.test(head) && /"typeCode"\s*:\s*\d|"root"\s*:\s*"placesRoot"|"text\/x-moz-place/.test(head),
  read: (text) =>
    readTree(parseJson(text), {
      hasRoots: (depth, key) => depth === 0 && key === 'children',
      // The tags of a bookmark are in the bookmark too; this folder only repeats them.
      leftOut: (root) => (root.root === 'tagsFolder' || root.guid === 'tags________' ? 'repeated' : undefined),
      nameOf: (fields) => toText(fields.title),
      indexOf: ({ index }) => (typeof index === 'number' ? index : undefined),
      isBookmark: ({ typeCode, type, uri }) =>
        typeCode === BOOKMARK || type === 'text/x-moz-place' || typeof uri === 'string',
      recordOf: firefoxRecord
    })
}

function firefoxRecord(fields: JsonObject): ImportedEntry | undefined {
  const { typeCode, type, uri, title, tags, annos, dateAdded, ...more } = fields
  if (typeCode === SEPARATOR || type === 'text/x-moz-place-separator') return { skipped: 'separators' }
  // A live bookmark (until Firefox 64) is a folder whose bookmarks come from a feed.
  const feed = annotation(annos, 'livemark/feedURI')
  const isUnknown = type === undefined && typeCode === undefined && uri === undefined
  if (feed === '' && (typeCode === FOLDER || type === CONTAINER || isUnknown)) return undefined
  const url = toText(uri) || annotation(annos, 'livemark/siteURI') || feed
  const about = annotation(annos, 'bookmarkProperties/description')
  return {
    url,
    title: toText(title),
    description: joined([about, feed === '' || feed === url ? '' : `Feed: ${feed}`]),
    tags: toText(tags)
      .split(',')
      .filter((tag) => tag.trim() !== ''),
    createdAt: readDate(dateAdded),
    dropped: droppedIn({
      icons: more.iconUri,
      keywords: more.keyword,
      'times of change': more.lastModified,
      dates: unreadDate(dateAdded)
    })
  }
}

/** Returns the value of an annotation of a node; empty if there is none. */
function annotation(annos: JsonNode | undefined, name: string): string {
  const match = elements(annos).find((anno) => members(anno).name === name)
  return toText(members(match).value)
}

/** The differences between the trees of two browsers. */
interface TreeFormat {
  /**
   * Whether the objects in this member of a root are roots too. Names of roots are the browser's, so they do not become
   * tags.
   *
   * @param depth number of roots around that root
   */
  hasRoots(depth: number, key: string): boolean
  /** Returns why the bookmarks in a root with this key are left out; `repeated` if the file has them elsewhere too. */
  leftOut(root: JsonObject, key: string): Skipped | 'repeated' | undefined
  nameOf(fields: JsonObject): string
  indexOf(fields: JsonObject): number | undefined
  /** Whether an object in an unexpected place is a bookmark. */
  isBookmark(fields: JsonObject): boolean
  /** Returns the record of a bookmark; `undefined` for a folder. */
  recordOf(fields: JsonObject): ImportedEntry | undefined
}

/** A value to visit. A `node` is in the `children` of a folder; a `stray` is in any other member. */
interface Visit {
  kind: 'root' | 'node' | 'stray'
  value: JsonNode
  /** Number of roots around it. */
  depth: number
  leftOut: Skipped | 'repeated' | undefined
}

/** Members with details of a bookmark, which contain no bookmarks. */
const DETAILS = ['meta_info', 'annos']

/**
 * Reads a browser's tree: folders with `children`, in roots. Bookmarks in unexpected members are read too. It works
 * without recursion, because files nest without limit. The path of the folders around a bookmark is its last tag.
 */
function readTree(tree: JsonNode, format: TreeFormat): ImportedEntry[] {
  const records: ImportedEntry[] = []
  const path = new FolderPath()
  const top: Visit = { kind: 'root', value: tree, depth: 0, leftOut: format.leftOut(members(tree), '') }
  const waiting: (Visit | 'leave')[] = [top]

  function add(record: ImportedEntry | undefined, leftOut: Visit['leftOut']): void {
    if (record === undefined || leftOut === 'repeated') return
    if (leftOut !== undefined) records.push({ skipped: leftOut })
    else if (path.text === '' || 'skipped' in record) records.push(record)
    else records.push({ ...record, tags: [...record.tags, path.text] })
  }

  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    if (visit === 'leave') {
      path.leave()
      continue
    }
    const fields = members(visit.value)
    const inside = visitsInside(format, visit)
    const isLeaf = visit.kind === 'node' && inside.every(({ kind }) => kind !== 'node')
    if (isLeaf || format.isBookmark(fields)) add(format.recordOf(fields), visit.leftOut)
    path.enter(visit.kind === 'node' ? folderName(format.nameOf(fields)) : '')
    waiting.push('leave')
    for (const inner of inside.toReversed()) waiting.push(inner)
  }
  return records
}

/** The objects and arrays inside another, in the order in which they are visited. */
function visitsInside(format: TreeFormat, { kind, value, depth, leftOut }: Visit): Visit[] {
  const visit = (kindInside: 'node' | 'stray', inner: JsonNode): Visit => ({
    kind: kindInside,
    value: inner,
    depth,
    leftOut
  })
  const root = (inner: JsonNode, key: string): Visit => {
    const why = leftOut ?? format.leftOut(members(inner), key)
    return { kind: 'root', value: inner, depth: depth + 1, leftOut: why }
  }
  if (Array.isArray(value)) return value.filter(isObject).map((inner) => visit('stray', inner))
  return Object.entries(members(value)).flatMap(([key, member]) => {
    if (member === undefined || !isObject(member) || DETAILS.includes(key)) return []
    const isRoot = kind === 'root' && format.hasRoots(depth, key)
    if (key !== 'children' || !Array.isArray(member) || kind === 'stray') {
      return isRoot && !Array.isArray(member) ? root(member, key) : visit('stray', member)
    }
    const all = member.filter(isObject)
    if (isRoot) return all.map((inner) => root(inner, key))
    return inOrder(format, all).map((inner) => visit(Array.isArray(inner) ? 'stray' : 'node', inner))
  })
}

function isObject(value: JsonNode): boolean {
  return typeof value === 'object' && value !== null
}

function inOrder(format: TreeFormat, nodes: JsonNode[]): JsonNode[] {
  const all = nodes.map((node) => ({ node, index: format.indexOf(members(node)) }))
  if (all.some(({ index }) => index === undefined)) return nodes
  return all.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ node }) => node)
}

export type JsonObject = { [key: string]: JsonNode | undefined }
export type JsonNode = string | number | boolean | null | JsonObject | JsonNode[]

/** Maximum length of a JSON text, in UTF-16 code units. Its parsed values take several times as much memory. */
const MAX_JSON_LENGTH = 200_000_000

/** @throws Problem `invalid` if the text is not JSON, or too long */
export function parseJson(text: string): JsonNode {
  if (text.length > MAX_JSON_LENGTH) {
    throw new Problem('invalid', 'This JSON file is larger than 200 MB. Export fewer bookmarks at a time.')
  }
  try {
    return JSON.parse(text) as JsonNode
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem('invalid', 'This JSON file is damaged or cut off. Export it again.')
  }
}

/** Returns the members of an object; none for any other value. */
export function members(value: JsonNode | undefined): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

export function elements(value: JsonNode | undefined): JsonNode[] {
  return Array.isArray(value) ? value : []
}

/** Returns a string, or a number as a string; an empty string for any other value. */
export function toText(value: JsonNode | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
