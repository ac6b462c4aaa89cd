import { foldName, matchTags, tagIn } from '../../lib/match-names.ts'

/** A tag, and how many bookmarks have it. */
interface Counted {
  name: string
  bookmarks: number
}

export interface SuggestedTag extends Counted {
  /** Whether no bookmark has it yet. */
  isNew: boolean
}

/** Tags suggested at once. */
const MAX_TAGS = 20

/**
 * Returns tags to offer while one is typed: first exactly the typed name, as the tag that exists in whatever case or as a
 * new one, so that Enter never takes another; then the tags that match it.
 *
 * @param known by how often they are used
 * @param taken those the bookmark has
 */
export function suggestTags(known: Counted[], typed: string, taken: string[]): SuggestedTag[] {
  const has = new Set(taken.map(foldName))
  const free = known.filter((tag) => !has.has(foldName(tag.name)))
  const matching = matchTags(free, typed).map((tag) => ({ ...tag, isNew: false }))
  const name = tagIn(typed)
  const isKnown = name === '' || has.has(foldName(name)) || matching.some((tag) => isTyped(tag, typed))
  return [...(isKnown ? [] : [{ name, bookmarks: 0, isNew: true }]), ...matching].slice(0, MAX_TAGS)
}

/** Returns whether the typed text is this tag's whole name. */
export function isTyped(tag: { name: string }, typed: string): boolean {
  return foldName(tag.name) === foldName(tagIn(typed))
}

/** How many of the selected bookmarks have a tag. */
type Share = 'all' | 'some' | 'none'

/** Changes of tags, by their folded names: given to all, or taken from all. */
export type Wanted = ReadonlyMap<string, { name: string; has: boolean }>

/** A tag that can be chosen. */
export interface PickedTag extends Counted {
  /** How many have it now. */
  share: Share
  /** How many will have it. */
  becomes: Share
  /** Whether there is none of this name yet. */
  isNew?: boolean
}

interface Selectable {
  total: number
  /** Tags of the selected bookmarks. */
  tags: Counted[]
}

/** Maximum number of tags that are shown. */
const MAX_SHOWN = 100

/**
 * Returns the tags to choose from: those that were just chosen first, then those of the selected bookmarks, the others, and
 * a new one of the typed name where there is none.
 *
 * @param others all tags there are
 */
export function pickedTags(selection: Selectable, others: Counted[], wanted: Wanted, typed: string): PickedTag[] {
  const own = new Set(selection.tags.map(({ name }) => foldName(name)))
  const chosen = [...wanted.values()].filter(({ name }) => !own.has(foldName(name)))
  const listed = new Set([...own, ...chosen.map(({ name }) => foldName(name))])
  const rest = others.filter(({ name }) => !listed.has(foldName(name)))
  const unused = (tags: { name: string }[]) => tags.map(({ name }) => ({ name, bookmarks: 0 }))
  const all = [unused(chosen), selection.tags, unused(rest)]
  const matching = all.flatMap((tags) => matchTags(tags, typed))
  const shown = matching.slice(0, MAX_SHOWN).map((tag) => picked(tag, selection.total, wanted))
  const name = tagIn(typed)
  if (name === '' || matching.some((tag) => isTyped(tag, typed))) return shown
  return [...shown, { name, bookmarks: 0, share: 'none', becomes: 'none', isNew: true }]
}

function picked(tag: Counted, total: number, wanted: Wanted): PickedTag {
  const share = tag.bookmarks === 0 ? 'none' : tag.bookmarks >= total ? 'all' : 'some'
  const has = wanted.get(foldName(tag.name))?.has
  return { ...tag, share, becomes: has === undefined ? share : has ? 'all' : 'none' }
}

/** Goes on to the next of what can become of a tag: all, none, and as it was. */
export function turned(wanted: Wanted, { name, share, becomes }: PickedTag): Wanted {
  const next = new Map(wanted)
  const folded = foldName(name)
  const to = becomes === 'some' ? 'all' : becomes === 'all' ? 'none' : share === 'some' ? 'some' : 'all'
  if (to === share) next.delete(folded)
  else next.set(folded, { name, has: to === 'all' })
  return next
}

/** Returns the changes as the service takes them. */
export function changesOf(wanted: Wanted): { add: string[]; remove: string[] } {
  const all = [...wanted.values()]
  return {
    add: all.filter(({ has }) => has).map(({ name }) => name),
    remove: all.filter(({ has }) => !has).map(({ name }) => name)
  }
}
