import { parentTags } from '../../src-main/contract/tag-names.ts'
import { foldName } from './match-names.ts'

/** A tag, or what is only the beginning of the names of some. */
export interface TagNode {
  name: string
  /** The last part of its name. */
  label: string
  /** How many bookmarks have it or one of those below. */
  bookmarks: number
  isTag: boolean
  below: TagNode[]
}

interface Counted {
  name: string
  bookmarks: number
}

/**
 * Returns the tags that belong to no other, each with those that belong to it, most used first.
 *
 * @param parents what tags belong to, a tag itself or not, with the bookmarks of all of them
 */
export function tagTree(tags: Counted[], parents: Counted[]): TagNode[] {
  const nodes = new Map<string, TagNode>()
  const isTag = new Set(tags.map(keyOf))
  for (const one of [...tags, ...parents]) nodes.set(keyOf(one), nodeOf(one, isTag.has(keyOf(one))))
  const roots: TagNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(keyOf({ name: parentTags(node.name).at(-1) ?? '' }))
    ;(parent?.below ?? roots).push(node)
  }
  return mostUsedFirst(roots)
}

function mostUsedFirst(nodes: TagNode[]): TagNode[] {
  for (const { below } of nodes) mostUsedFirst(below)
  return nodes.sort((a, b) => b.bookmarks - a.bookmarks || byName(a, b))
}

/** Returns the same tree with what stands at each level in the order of names. */
export function inNameOrder(nodes: TagNode[]): TagNode[] {
  return nodes.toSorted(byName).map((node) => ({ ...node, below: inNameOrder(node.below) }))
}

/** Puts names in the order of people: `a2` before `a10`. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, undefined, { numeric: true })
}

function keyOf({ name }: { name: string }): string {
  return foldName(name)
}

function nodeOf({ name, bookmarks }: Counted, isTag: boolean): TagNode {
  const label = name.slice(name.lastIndexOf('/') + 1) || name
  return { name, label, bookmarks, isTag, below: [] }
}

/** Returns the branches in which a name holds this folded text, without what else is in them. */
export function branchesWith(nodes: TagNode[], text: string): TagNode[] {
  return nodes.flatMap((node) => {
    const below = branchesWith(node.below, text)
    return below.length > 0 || foldName(node.name).includes(text) ? { ...node, below } : []
  })
}

/** Whether a tag is the one of this name, or below it. Case makes no difference. */
export function isWithin(branch: string, name: string): boolean {
  return `${foldName(name)}/`.startsWith(`${foldName(branch)}/`)
}

/** Returns the name that a tag has below another, or with `''` at the top. */
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
  /** How many it is below. */
  depth: number
}

/** Returns the nodes that are in sight one after the other: those below another where that one is open. */
export function rowsOfTree(nodes: TagNode[], isOpen: (name: string) => boolean, depth = 0): TagRow[] {
  return nodes.flatMap((node) => [
    { ...node, depth },
    ...(isOpen(node.name) ? rowsOfTree(node.below, isOpen, depth + 1) : [])
  ])
}
