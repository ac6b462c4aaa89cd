import type { ImportedRecord } from '../contract/import-format.ts'
import { recordsOf, type TreeNode } from './folder-tree.ts'
import { JsonBuilder, type JsonFormat, type JsonObject } from './json-records.ts'

/** What differs between the trees of two browsers. */
interface TreeFormat {
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

/** A node under way: its own members, and the nodes in it. */
interface Open {
  fields: JsonObject
  node: TreeNode
  line: number
}

/**
 * Reads a browser's tree of `children`. Of the folders in a root, one at a time is held: its name may stand behind
 * what is in it.
 */
export function jsonTree(
  format: TreeFormat,
  found: (record: ImportedRecord) => void,
  line: () => number
): JsonFormat<ImportedRecord> {
  /** Objects around, outermost first; `undefined` for one that is neither a root nor a node. */
  const around: ('root' | 'children' | 'outside' | Open)[] = []
  const path: string[] = []
  const rootFields: JsonObject[] = []
  let member: { name: string; value: JsonBuilder } | undefined

  const isRoot = (name: string) => path.length < DEEPEST_ROOT && format.isRoot([...path, name].join('.'))
  const fieldsOf = (one: (typeof around)[number] | undefined) =>
    one === 'root' ? rootFields.at(-1) : typeof one === 'object' ? one.fields : undefined

  function beginRoot(): 'root' {
    rootFields.push({})
    return 'root'
  }

  function finish({ fields, node, line: at }: Open): void {
    const parent = around.findLast((one) => typeof one === 'object')
    if (format.isLeftOut(rootFields.at(-1) ?? {})) return
    node.name = format.nameOf(fields)
    const index = format.indexOf(fields)
    if (index !== undefined) node.index = index
    const record = node.children.length === 0 ? format.recordOf(fields, at) : undefined
    if (record) node.record = record
    if (parent) parent.node.children.push(node)
    else for (const one of recordsOf(node)) found(one)
  }

  return {
    open(kind, key) {
      if (member) {
        member.value.open(kind, key)
        return
      }
      const last = around.at(-1)
      const fields = fieldsOf(last)
      if (kind === 'array' && key === 'children' && fields) {
        around.push('children')
      } else if (kind === 'object' && last === 'children') {
        around.push(isRoot('*') ? beginRoot() : { fields: {}, node: { name: '', children: [] }, line: line() })
      } else if (fields && key !== undefined) {
        member = { name: key, value: new JsonBuilder() }
        member.value.open(kind, undefined)
        return
      } else {
        around.push(kind === 'object' && isRoot(key ?? '*') ? beginRoot() : 'outside')
      }
      path.push(key ?? '*')
    },
    value(value, key) {
      if (member) {
        member.value.value(value, key)
        return
      }
      const fields = fieldsOf(around.at(-1))
      if (fields && key !== undefined) fields[key] = value
    },
    close() {
      if (member) {
        member.value.close()
        const fields = fieldsOf(around.at(-1))
        if (member.value.depth > 0 || !fields) return
        fields[member.name] = member.value.root
        member = undefined
        return
      }
      path.pop()
      const closed = around.pop()
      if (closed === 'root') rootFields.pop()
      if (typeof closed === 'object') finish(closed)
    },
    end() {
      // The file broke off: what is open is as complete as it will be.
      member = undefined
      const open = around.splice(0).filter((one) => typeof one === 'object')
      const outermost = open[0]
      for (const [index, { fields, node }] of open.entries()) {
        node.name = format.nameOf(fields)
        if (index > 0) open[index - 1]?.node.children.push(node)
      }
      return outermost ? recordsOf(outermost.node) : []
    }
  }
}
