import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { Owner } from '../../contract/caller.ts'
import type { ImportDraft } from '../../contract/library-export.ts'
import { memoize } from '../../core/memoize.ts'
import { filterToken, parentTokens, placeTokens, siteTokens } from '../filter-tokens.ts'

/** Tokens that rows share. */
interface Group {
  tokens: string[]
  text: string
  rows: number
}

/** The filters of many new rows, as `filtersOf` gives them: what rows share is made once, and counted at the end. */
export function filterTally() {
  const groups: Group[] = []
  const group = (tokens: string[]): Group => {
    const made = { tokens, text: tokens.join(' '), rows: 0 }
    groups.push(made)
    return made
  }
  const site = memoize((domain: string) => group(siteTokens(domain)))
  const tag = memoize((rowId: number) => group([filterToken.tag(rowId)]))
  const below = memoize((token: string) => group([token]))
  const place = memoize((type: BookmarkType) =>
    memoize((visibility: Visibility) => memoize((owner: Owner) => group(placeTokens(type, visibility, owner))))
  )

  return {
    /** @param tagIds row ids of its tags, in ascending order */
    groupsOf({ type, visibility, owner, domain, tags }: ImportDraft, tagIds: number[]): Group[] {
      const sites = domain === null ? [] : [site(domain)]
      const parents = new Set(tags.flatMap(parentTokens))
      return [place(type)(visibility)(owner), ...sites, ...tagIds.map(tag), ...[...parents].map(below)]
    },
    /** Returns the `filters` of a row of these groups. */
    textOf: (groups: Group[]): string => groups.map(({ text }) => text).join(' '),
    count(groups: Group[]): void {
      for (const one of groups) one.rows += 1
    },
    /** How many of the counted rows have each token. */
    counts(): Map<string, number> {
      const counts = new Map<string, number>()
      for (const { tokens, rows } of groups) {
        for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + rows)
      }
      return counts
    }
  }
}
