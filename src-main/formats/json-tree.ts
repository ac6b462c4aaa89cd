import type { ImportedRecord } from '../contract/import-format.ts'
import { DeepNodes } from './deep-nodes.ts'
import { recordsOf, type TreeNode } from './folder-tree.ts'
import { type JsonBuilder, type JsonFormat, type JsonObject, members, newObject } from './json-records.ts'

/** The differences between the trees of two browsers. */
export interface TreeFormat {
  /** Whether the object with this path of member names, `*` in arrays, is a root, whose own name says nothing. */
  isRoot(path: string): boolean
  /** Whether what is in a root with these members is to be left out. */
  isLeftOut(root: JsonObject): boolean
  /** The name a node goes by. */
  nameOf(fields: JsonObject): string
  indexOf(fields: JsonObject): number | undefined
  /** The bookmark a node is; `undefined` for a folder or a separator. */
  recordOf(fields: JsonObject, line: number): ImportedRecord | undefined
}

/** Roots stand near the top; deeper the path need not be known. */
const DEEPEST_ROOT = 4

/** Objects and arrays around that are held. What is in folders below is of the last of these. */
const MOST_AROUND = 1000

/** A node under way: its own members, and the nodes in it. */
interface Open {
  fields: JsonBuilder
  node: TreeNode
  line: number
}

/** Where in the file it is; `outside` is neither a root nor a node, nor in one. */
type Around = { root: JsonBuilder; line: number } | 'children' | 'outside' | Open

/**
 * Reads a browser's tree of `children`. Of the folders in a root, one at a time is held: its name may stand behind
 * what is in it. However deep folders lie in one another, nothing in them is lost.
 */
export function jsonTree(
  format: TreeFormat,
  found: (record: ImportedRecord) => void,
  line: () => number
): JsonFormat<ImportedRecord> {
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

  const isRoot = (name: string) =>
    around.length < DEEPEST_ROOT && format.isRoot([...path.slice(0, around.length), name].join('.'))

  function finish(closed: Open): void {
    if (format.isLeftOut(members(around.findLast(isRootFields)?.root.root))) return
    const node = finishedNode(format, closed)
    const parent = around.findLast(isOpen)
    if (node && parent) parent.node.children.push(node)
    else if (node) for (const one of recordsOf(node)) found(one)
  }

  /** A bookmark that stands where a root is expected, in no folder. */
  function finishRoot({ root, line }: { root: JsonBuilder; line: number }): void {
    const fields = members(root.root)
    const record = format.isLeftOut(fields) ? undefined : format.recordOf(fields, line)
    if (record) found(record)
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
        enter(isRoot('*') ? newRoot(line()) : { fields: newObject(), node: emptyNode(), line: line() }, key)
      } else if (fields && key !== undefined) fields.open(kind, key)
      else enter(kind === 'object' && isRoot(key ?? '*') ? newRoot(line()) : 'outside', key)
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
        else if (isRootFields(closed)) finishRoot(closed)
      }
    },
    end() {
      // The file broke off: what is open is as complete as it will be.
      return recordsOfOpen(format, around.splice(0).filter(isOpen))
    }
  }
}

/** `undefined` for an empty folder, which says nothing. */
function finishedNode(format: TreeFormat, { fields, node, line }: Open): TreeNode | undefined {
  node.name = format.nameOf(members(fields.root))
  const index = format.indexOf(members(fields.root))
  if (index !== undefined) node.index = index
  if (node.children.length > 0) return node
  const record = format.recordOf(members(fields.root), line)
  if (!record) return undefined
  node.record = record
  return node
}

/** Returns the records in nodes that were never closed, each node inside the one before it. */
function recordsOfOpen(format: TreeFormat, open: Open[]): ImportedRecord[] {
  for (const [index, { fields, node }] of open.entries()) {
    node.name = format.nameOf(members(fields.root))
    if (index > 0) open[index - 1]?.node.children.push(node)
  }
  return open[0] ? recordsOf(open[0].node) : []
}

function newRoot(line: number): Around {
  return { root: newObject(), line }
}

function emptyNode(): TreeNode {
  return { name: '', children: [] }
}

function isOpen(one: Around | undefined): one is Open {
  return typeof one === 'object' && 'node' in one
}

function isRootFields(one: Around | undefined): one is { root: JsonBuilder; line: number } {
  return typeof one === 'object' && 'root' in one
}

function fieldsOf(one: Around | undefined): JsonBuilder | undefined {
  if (typeof one !== 'object') return undefined
  return 'root' in one ? one.root : one.fields
}
