import { foldName, matchTags, tagIn } from '../../lib/match-names.ts'
import type { TagCount } from '../../lib/tag-tree.ts'

export interface SuggestedTag extends TagCount {
  /** Whether no bookmark has it yet. */
  isNew: boolean
}

/** Maximum number of suggested tags. */
const MAX_TAGS = 20

/**
 * Returns suggestions while a tag is typed: first the tag with exactly this name in any case, or a new tag, so that Enter
 * never takes another one; then the tags that match.
 *
 * @param tags all tags, most used first
 * @param used the tags of the bookmark, which are not suggested
 */
export function suggestTags(tags: TagCount[], typed: string, used: string[]): SuggestedTag[] {
  const usedNames = new Set(used.map(foldName))
  const unused = tags.filter((tag) => !usedNames.has(foldName(tag.name)))
  const matching = matchTags(unused, typed).map((tag) => ({ ...tag, isNew: false }))
  const name = tagIn(typed)
  const exists = name === '' || usedNames.has(foldName(name)) || matching.some((tag) => isTyped(tag, typed))
  return [...(exists ? [] : [{ name, bookmarks: 0, isNew: true }]), ...matching].slice(0, MAX_TAGS)
}

/** Whether the typed text is the whole name of a tag. */
export function isTyped(tag: { name: string }, typed: string): boolean {
  return foldName(tag.name) === foldName(tagIn(typed))
}

/** How many of the selected bookmarks have a tag. */
type Share = 'all' | 'some' | 'none'

/** The chosen changes, by folded names: whether a tag is added to all selected bookmarks or removed from all. */
export type TagChanges = ReadonlyMap<string, { name: string; has: boolean }>

/** A tag in the list of a bulk change. */
export interface PickedTag extends TagCount {
  /** How many have it now. */
  share: Share
  /** How many will have it after the change. */
  becomes: Share
  /** Whether the tag does not exist yet. */
  isNew?: boolean
}

interface SelectionTags {
  total: number
  /** Tags of the selected bookmarks. */
  tags: TagCount[]
}

/** Maximum number of tags that are shown. */
const MAX_SHOWN = 100

/**
 * Returns the tags of a bulk change that match a typed text: tags that were just chosen, tags of the selected bookmarks,
 * all others, and a new tag if none has the typed name.
 */
export function listPickedTags(
  selection: SelectionTags,
  allTags: TagCount[],
  changes: TagChanges,
  typed: string
): PickedTag[] {
  const selectedNames = new Set(selection.tags.map(({ name }) => foldName(name)))
  const chosen = [...changes.values()].filter(({ name }) => !selectedNames.has(foldName(name)))
  const listed = new Set([...selectedNames, ...chosen.map(({ name }) => foldName(name))])
  const others = allTags.filter(({ name }) => !listed.has(foldName(name)))
  const unused = (tags: { name: string }[]) => tags.map(({ name }) => ({ name, bookmarks: 0 }))
  const groups = [unused(chosen), selection.tags, unused(others)]
  const matching = groups.flatMap((tags) => matchTags(tags, typed))
  const shown = matching.slice(0, MAX_SHOWN).map((tag) => createPickedTag(tag, selection.total, changes))
  const name = tagIn(typed)
  if (name === '' || matching.some((tag) => isTyped(tag, typed))) return shown
  return [...shown, { name, bookmarks: 0, share: 'none', becomes: 'none', isNew: true }]
}

function createPickedTag(tag: TagCount, total: number, changes: TagChanges): PickedTag {
  const share = tag.bookmarks === 0 ? 'none' : tag.bookmarks >= total ? 'all' : 'some'
  const has = changes.get(foldName(tag.name))?.has
  return { ...tag, share, becomes: has === undefined ? share : has ? 'all' : 'none' }
}

/** Changes the choice for a tag to the next one: on all, on none, as it was. */
export function cycleTag(changes: TagChanges, { name, share, becomes }: PickedTag): TagChanges {
  const next = new Map(changes)
  const folded = foldName(name)
  const to = becomes === 'some' ? 'all' : becomes === 'all' ? 'none' : share === 'some' ? 'some' : 'all'
  if (to === share) next.delete(folded)
  else next.set(folded, { name, has: to === 'all' })
  return next
}

/** Returns the changes for a request. */
export function changesOf(changes: TagChanges): { add: string[]; remove: string[] } {
  const all = [...changes.values()]
  return {
    add: all.filter(({ has }) => has).map(({ name }) => name),
    remove: all.filter(({ has }) => !has).map(({ name }) => name)
  }
}
