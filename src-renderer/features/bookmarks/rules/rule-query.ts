import type { BookmarksPage } from '../../../api/client.ts'
import type { RuleBody } from '../../../api/rules.ts'
import type { Chosen, Listed } from '../list/selection.ts'
import { isFiltered, queryOf, type View } from '../search/view.ts'

/** Returns the rule that a search suggests; `undefined` where it holds nothing back, or no query says what it says. */
export function ruleOf(view: View): RuleBody | undefined {
  const { order: _, ...listed } = queryOf(view)
  const query = isFiltered(view) ? queryText(listed) : undefined
  return query === undefined ? undefined : { query }
}

/** A list as somebody sees it: what it was asked for, and how many it has. */
export interface ShownList {
  query: Listed
  first: Pick<BookmarksPage, 'total' | 'atLeast' | 'relaxed'> | undefined
}

/**
 * Returns the rule that does with new bookmarks what was done to all that a search shows; `undefined` where it was done to
 * some, or no rule does it.
 */
export function ruleFor(chosen: Chosen, change: Change, list: ShownList): RuleBody | undefined {
  const query = isAll(chosen, list) ? queryText(list.query) : undefined
  if (!query) return undefined
  const { kind, add = [], remove = [], visibility, organization } = change
  if (kind === 'move') return { query, visibility, organization }
  return kind === 'tags' && add.length > 0 && remove.length === 0 ? { query, tags: add } : undefined
}

/** An organization goes by its name. */
type Change = { kind: string; add?: string[]; remove?: string[] } & Omit<RuleBody, 'query' | 'tags'>

function isAll(chosen: Chosen, { first }: ShownList): boolean {
  if ('all' in chosen) return chosen.except.length === 0
  return !!first && !first.atLeast && !first.relaxed && first.total > 1 && chosen.ids.length >= first.total
}

/** Returns words and filters as one query; `undefined` where the language has no filter for one of them. */
function queryText({
  words = '',
  typing: _,
  tag = [],
  domain,
  type,
  visibility,
  is,
  untagged,
  ...others
}: Listed): string | undefined {
  const tags = [tag].flat()
  // Without one of the others, a rule would be for more than the list shows.
  if (Object.values(others).some((filter) => filter !== undefined)) return undefined
  if (tags.some((name) => name.includes('"'))) return undefined
  // Words come last: a quote or a bracket that is open in them would swallow what follows.
  const parts = [
    ...tags.map((name) => `tag:${PLAIN.test(name) ? name : `"${name}"`}`),
    domain && `site:${domain}`,
    type && `type:${type}`,
    visibility && `visibility:${visibility}`,
    ...[is ?? []].flat().map((mark) => `is:${mark}`),
    untagged && 'is:untagged',
    words.trim()
  ]
  return parts.filter(Boolean).join(' ')
}

const PLAIN = /^[\p{L}\p{N}=/_.-]+$/u
