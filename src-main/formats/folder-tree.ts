import type { ImportedEntry } from '../contract/import-format.ts'
import { FolderPath, folderName } from './folder-path.ts'

/** A folder or a bookmark, whose parts may come in any order. */
export interface TreeNode {
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
export function recordsOf(root: TreeNode): ImportedEntry[] {
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
