import { parentTags } from '../../src-main/contract/tag-names.ts'
import { foldName } from './match-names.ts'

/** A tag, or a parent that is not a tag itself. */
export interface TagNode {
  name: string
  /** The last part of its name. */
  label: string
  /** The number of bookmarks that have it, or a tag below it. */
  bookmarks: number
  isTag: boolean
  below: TagNode[]
}

/** A name with its number of bookmarks. */
export interface TagCount {
  name: string
  bookmarks: number
}

/**
 * Returns the tags that have no parent, each with the tags below it, most used first.
 *
 * @param parents all parents, whether they are tags or not, with the bookmarks of all tags below them
 */
export function tagTree(tags: TagCount[], parents: TagCount[]): TagNode[] {
  const nodes = new Map<string, TagNode>()
  const isTag = new Set(tags.map(keyOf))
  for (const tag of [...tags, ...parents]) nodes.set(keyOf(tag), createNode(tag, isTag.has(keyOf(tag))))
  const roots: TagNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(keyOf({ name: parentTags(node.name).at(-1) ?? '' }))
    ;(parent?.below ?? roots).push(node)
  }
  return sortByUse(roots)
}

function sortByUse(nodes: TagNode[]): TagNode[] {
  for (const { below } of nodes) sortByUse(below)
  return nodes.sort((a, b) => b.bookmarks - a.bookmarks || compareNames(a, b))
}

/** Returns the tree with each level sorted by name. */
export function sortByName(nodes: TagNode[]): TagNode[] {
  return nodes.toSorted(compareNames).map((node) => ({ ...node, below: sortByName(node.below) }))
}

/** Compares names, and numbers in them by value: `a2` comes before `a10`. */
function compareNames(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, undefined, { numeric: true })
}

function keyOf({ name }: { name: string }): string {
  return foldName(name)
}

function createNode({ name, bookmarks }: TagCount, isTag: boolean): TagNode {
  const label = name.slice(name.lastIndexOf('/') + 1) || name
  return { name, label, bookmarks, isTag, below: [] }
}

/** Returns the nodes whose name contains a folded text, with their parents, as a tree. */
export function filterTree(nodes: TagNode[], text: string): TagNode[] {
  return nodes.flatMap((node) => {
    const below = filterTree(node.below, text)
    return below.length > 0 || foldName(node.name).includes(text) ? { ...node, below } : []
  })
}

/** Whether `name` is the tag `branch`, or below it. Case makes no difference. */
export function isWithin(branch: string, name: string): boolean {
  return `${foldName(name)}/`.startsWith(`${foldName(branch)}/`)
}

/** Returns the name of a tag after it was moved below another, or with `''` to the top. */
export function movedName(name: string, under: string): string {
  const label = name.slice(name.lastIndexOf('/', name.length - 2) + 1)
  return under === '' ? label : `${under}/${label}`
}

/** Returns all nodes of a tree, each before those below it. */
export function nodesIn(nodes: TagNode[]): TagNode[] {
  return nodes.flatMap((node) => [node, ...nodesIn(node.below)])
}

/** A node as a row of a tree. */
export interface TagRow extends TagNode {
  /** The number of its parents. */
  depth: number
}

/** Returns the visible nodes of a tree as rows. The nodes below another are visible if that one is open. */
export function rowsOfTree(nodes: TagNode[], isOpen: (name: string) => boolean, depth = 0): TagRow[] {
  return nodes.flatMap((node) => [
    { ...node, depth },
    ...(isOpen(node.name) ? rowsOfTree(node.below, isOpen, depth + 1) : [])
  ])
}
