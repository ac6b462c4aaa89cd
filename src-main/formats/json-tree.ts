import type { ImportedEntry } from '../contract/import-format.ts'
import type { Skipped } from '../contract/import-report.ts'
import { DeepNodes } from './deep-nodes.ts'
import { FolderPath, folderName } from './fields.ts'
import {
  type JsonBuilder,
  type JsonFormat,
  type JsonNode,
  type JsonObject,
  members,
  newObject
} from './json-records.ts'

/** The differences between the trees of two browsers. */
export interface TreeFormat {
  /** Whether the object with this path of member names, `*` in arrays, is a root, whose own name says nothing. */
  isRoot(path: string): boolean
  /** Why the bookmarks in a root with these members and this name are left out: `repeated` if they are elsewhere too. */
  leftOut(root: JsonObject, name: string): Skipped | 'repeated' | undefined
  /** The name a node goes by. */
  nameOf(fields: JsonObject): string
  indexOf(fields: JsonObject): number | undefined
  /** Whether an object at an unexpected place is a bookmark. */
  isBookmark(fields: JsonObject): boolean
  /** The bookmark a node is; `undefined` for a folder. */
  recordOf(fields: JsonObject, line: number): ImportedEntry | undefined
}

/** Roots stand near the top; deeper the path need not be known. */
const DEEPEST_ROOT = 6

/** Objects and arrays around that are held. What is in folders below is of the last of these. */
const MOST_AROUND = 1000

/** A node under way: its own members, and the nodes in it. */
interface Open {
  fields: JsonBuilder
  node: TreeNode
  line: number
}

/** Where in the file it is; `outside` is neither a root nor a node, nor in one. */
type Around = Root | 'children' | 'outside' | Open

interface Root {
  root: JsonBuilder
  name: string
  line: number
}

/**
 * Reads a browser's tree of `children`. Of the folders in a root, one at a time is held: its name may stand behind
 * what is in it. However deep folders lie in one another, nothing in them is lost.
 */
export function jsonTree(
  format: TreeFormat,
  found: (record: ImportedEntry) => void,
  line: () => number
): JsonFormat<ImportedEntry> {
  /** Outermost first. */
  const around: Around[] = []
  const path: string[] = []
  /** Objects and arrays below one that is outside and too deep for a root. */
  let outside = 0
  /** Nodes below the last of those around. */
  const deep = new DeepNodes(format, line, (record) => {
    const folder = around.findLast(isOpen)
    folder?.node.children.push({ name: '', record, children: [] })
  })

  const isRootName = (name: string) =>
    around.length < DEEPEST_ROOT && format.isRoot([...path.slice(0, around.length), name].join('.'))

  /** Gives the records that are in this root, unless it is to be left out. */
  function give(records: ImportedEntry[], roots: Root[]): void {
    const why = roots.map(({ root, name }) => format.leftOut(members(root.root), name)).find(Boolean)
    if (why === 'repeated') return
    for (const record of records) found(why ? { line: record.line, skipped: why } : record)
  }

  function finish(closed: Open): void {
    const node = finishedNode(format, closed)
    const parent = around.findLast(isOpen)
    if (node && parent) parent.node.children.push(node)
    else if (node) give(recordsOf(node), around.filter(isRoot))
  }

  /** Gives a bookmark that is where a root is expected, in no folder. */
  function finishRoot(closed: Root): void {
    const fields = members(closed.root.root)
    const record = format.isBookmark(fields) ? format.recordOf(fields, closed.line) : undefined
    give([...(record ? [record] : []), ...strays(format, fields, closed.line)], [...around.filter(isRoot), closed])
  }

  function enter(one: Around, key: string | undefined): void {
    if (around.length < DEEPEST_ROOT) path[around.length] = key ?? '*'
    around.push(one)
  }

  return {
    open(kind, key) {
      const last = around.at(-1)
      const fields = fieldsOf(last)
      if (outside > 0 || (last === 'outside' && around.length >= DEEPEST_ROOT)) outside += 1
      else if (deep.depth > 0 || (around.length >= MOST_AROUND && last === 'children')) deep.open(kind, key)
      else if (fields && fields.depth > 1) fields.open(kind, key)
      else if (kind === 'array' && key === 'children' && fields) enter('children', key)
      else if (kind === 'object' && last === 'children') {
        enter(isRootName('*') ? newRoot(line(), '') : { fields: newObject(), node: emptyNode(), line: line() }, key)
      } else if (kind === 'object' && isRoot(last) && key !== undefined && isRootName(key)) {
        enter(newRoot(line(), key), key)
      } else if (fields && key !== undefined) fields.open(kind, key)
      else enter(kind === 'object' && isRootName(key ?? '*') ? newRoot(line(), key ?? '') : 'outside', key)
    },
    value(value, key) {
      if (outside > 0) return
      if (deep.depth > 0) deep.value(value, key)
      else fieldsOf(around.at(-1))?.value(value, key)
    },
    close() {
      const fields = fieldsOf(around.at(-1))
      if (outside > 0) outside -= 1
      else if (deep.depth > 0) deep.close()
      else if (fields && fields.depth > 1) fields.close()
      else {
        const closed = around.pop()
        if (isOpen(closed)) finish(closed)
        else if (isRoot(closed)) finishRoot(closed)
      }
    },
    end() {
      // The file broke off: what is open is as complete as it will be.
      return recordsOfOpen(format, around.splice(0).filter(isOpen))
    }
  }
}

/** `undefined` for an empty folder. */
function finishedNode(format: TreeFormat, { fields, node, line }: Open): TreeNode | undefined {
  const own = members(fields.root)
  node.name = format.nameOf(own)
  const index = format.indexOf(own)
  if (index !== undefined) node.index = index
  for (const record of strays(format, own, line)) node.children.push({ name: '', record, children: [] })
  if (node.children.length > 0 && !format.isBookmark(own)) return node
  const record = format.recordOf(own, line)
  if (node.children.length === 0) return record && { ...node, record }
  if (record) node.children.unshift({ name: '', record, children: [] })
  return node
}

/** Returns bookmarks at unexpected places: in a member of a folder that is not its `children`. */
function strays(format: TreeFormat, fields: JsonObject, line: number): ImportedEntry[] {
  const all: ImportedEntry[] = []
  const visit = (value: JsonNode) => {
    if (typeof value !== 'object' || value === null) return
    const own = members(value)
    const record = format.isBookmark(own) ? format.recordOf(own, line) : undefined
    if (record) all.push(record)
    visitMembers(value)
  }
  const visitMembers = (value: object) => {
    for (const [key, member] of Object.entries(value)) if (key !== 'meta_info' && key !== 'annos') visit(member)
  }
  visitMembers(fields)
  return all
}

/** Returns the records in nodes that were never closed, each node inside the one before it. */
function recordsOfOpen(format: TreeFormat, open: Open[]): ImportedEntry[] {
  for (const [index, { fields, node }] of open.entries()) {
    node.name = format.nameOf(members(fields.root))
    if (index > 0) open[index - 1]?.node.children.push(node)
  }
  return open[0] ? recordsOf(open[0].node) : []
}

function newRoot(line: number, name: string): Root {
  return { root: newObject(), name, line }
}

function emptyNode(): TreeNode {
  return { name: '', children: [] }
}

function isOpen(one: Around | undefined): one is Open {
  return typeof one === 'object' && 'node' in one
}

function isRoot(one: Around | undefined): one is Root {
  return typeof one === 'object' && 'root' in one
}

function fieldsOf(one: Around | undefined): JsonBuilder | undefined {
  if (typeof one !== 'object') return undefined
  return 'root' in one ? one.root : one.fields
}

/** A folder or a bookmark, whose parts may come in any order. */
interface TreeNode {
  /** Where it stands among its siblings, if the file says so. */
  index?: number
  name: string
  record?: ImportedEntry
  children: TreeNode[]
}

/**
 * The bookmarks of a folder, each tagged with the path of the folders around it, in the order their indexes say. A
 * format that names a folder behind what is in it has to be held until then.
 */
function recordsOf(root: TreeNode): ImportedEntry[] {
  const found: ImportedEntry[] = []
  const path = new FolderPath()
  const waiting: (TreeNode | 'leave')[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node === 'leave') {
      path.leave()
      continue
    }
    if (node.record) {
      const { record } = node
      const folder = path.text
      const isInFolder = folder !== '' && !('skipped' in record)
      found.push(isInFolder ? { ...record, tags: [...record.tags, folder] } : record)
      continue
    }
    path.enter(folderName(node.name))
    waiting.push('leave')
    for (const child of inOrder(node.children).toReversed()) waiting.push(child)
  }
  return found
}

function inOrder(nodes: TreeNode[]): TreeNode[] {
  return nodes.every((node) => node.index !== undefined)
    ? nodes.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    : nodes
}
