import type { BookmarkFilter } from '../../contract/bookmark.ts'
import { siteOf } from '../../core/address.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection } from '../connection.ts'
import { createFilterCounts } from './filter-counts.ts'
import { filterToken } from './filter-tokens.ts'

/** One filter, as the index and as the rows know it. Values are always bound. */
export interface FilterPart {
  kind: 'type' | 'visibility' | 'organization' | 'domain' | 'tag' | 'link'
  /** What its value is bound as; no two filters of a query share it. */
  name: string
  /** What it lets through has one of them. */
  tokens: string[]
  /** On `bookmarks b`. */
  condition: string
  value: string | number
  /** How many bookmarks it lets through. */
  bookmarks: number
}

/** Takes a query's filters apart; `undefined` where nothing can pass: it asks for a tag that nobody has. */
export function createFilterParts(db: ReadConnection): (filter: BookmarkFilter) => FilterPart[] | undefined {
  const { countOf } = createFilterCounts(db)
  const findTag = db.prepare('SELECT id FROM tags WHERE folded = ?').pluck()

  return ({ type, visibility, organization, domain, tags = [], is }) => {
    const parts: FilterPart[] = []
    const add = (kind: FilterPart['kind'], name: string, token: string, condition: string, value: string | number) =>
      parts.push({ kind, name, tokens: [token], condition, value, bookmarks: countOf(token) })
    if (type) add('type', 'type', filterToken.type(type), 'b.type = @type', type)
    if (visibility) {
      add('visibility', 'visibility', filterToken.visibility(visibility), 'b.visibility = @visibility', visibility)
    }
    if (organization !== undefined) {
      const token = filterToken.organization(organization)
      add('organization', 'organization', token, 'b.organization_id = @organization', organization)
    }
    if (domain) {
      const site = siteOf(domain)
      add('domain', 'domain', filterToken.site(site), isOfSite('b'), site)
    }
    if (is) {
      if (is.length === 0) return undefined
      const tokens = is.map(filterToken.link)
      const bookmarks = tokens.reduce((sum, token) => sum + countOf(token), 0)
      parts.push({ kind: 'link', name: 'is', tokens, condition: IS_MARKED, value: JSON.stringify(is), bookmarks })
    }
    for (const [index, name] of tags.entries()) {
      const tag = findTag.get(foldName(name)) as number | undefined
      if (tag === undefined) return undefined
      const bound = `tag${index}`
      const has = `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @${bound})`
      add('tag', bound, filterToken.tag(tag), has, tag)
    }
    return parts
  }
}

const IS_MARKED = `EXISTS (SELECT 1 FROM link_checks l
  WHERE l.bookmark_id = b.id AND l.mark IN (SELECT value FROM json_each(@is)))`

/** That a row's domain is the bound one, or below it. */
export function isOfSite(alias: string): string {
  return `(${alias}.domain = @domain OR substr(${alias}.domain, -length(@domain) - 1) = '.' || @domain)`
}
