import type { AskedFilter } from '../../contract/bookmark.ts'
import { siteOf } from '../../core/address.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { createFilterCounts } from './filter-counts.ts'

/** One filter, as the index and as the rows know it. Values are always bound. */
export interface FilterPart {
  kind: 'type' | 'visibility' | 'organization' | 'domain' | 'tag' | 'link' | 'date' | 'untagged'
  /** What its value is bound as; no two filters of a query share it. */
  name: string
  /** What it lets through has one of them; without any, only its row tells. */
  tokens: string[]
  /** On `bookmarks b`. */
  condition: string
  value: string | number
  /** How many bookmarks it lets through. */
  bookmarks: number
}

/**
 * Takes a query's filters apart; `undefined` where nothing can pass: it asks for a tag that nobody has. Filters of one
 * query that are taken apart one after the other get a `place` each.
 */
export function createFilterParts(
  db: ReadConnection
): (filter: AskedFilter, place?: string) => FilterPart[] | undefined {
  const { countOf } = createFilterCounts(db)
  const findTag = db.prepare('SELECT id FROM tags WHERE folded = ?').pluck()

  return ({ type, visibility, organization, domain, tags = [], anyTag, is, before, after, untagged }, place = '') => {
    const parts: FilterPart[] = []
    const add = (
      kind: FilterPart['kind'],
      name: string,
      token: string | undefined,
      condition: string,
      value: string | number
    ) => {
      const [tokens, bookmarks] = token === undefined ? [[], Infinity] : [[token], countOf(token)]
      parts.push({ kind, name, tokens, condition, value, bookmarks })
    }
    const named = (name: string) => `${name}${place}`
    if (type) add('type', named('type'), filterToken.type(type), `b.type = @${named('type')}`, type)
    if (visibility) {
      const name = named('visibility')
      add('visibility', name, filterToken.visibility(visibility), `b.visibility = @${name}`, visibility)
    }
    if (organization !== undefined) {
      const name = named('organization')
      add('organization', name, filterToken.organization(organization), `b.organization_id = @${name}`, organization)
    }
    if (domain) {
      const site = siteOf(domain)
      add('domain', named('domain'), filterToken.site(site), isOfSite('b', named('domain')), site)
    }
    if (is) {
      if (is.length === 0) return undefined
      const tokens = is.map(filterToken.link)
      const bookmarks = tokens.reduce((sum, token) => sum + countOf(token), 0)
      const name = named('is')
      parts.push({ kind: 'link', name, tokens, condition: isMarked(name), value: JSON.stringify(is), bookmarks })
    }
    if (before !== undefined) add('date', named('before'), undefined, `b.created_at < @${named('before')}`, before)
    if (after !== undefined) add('date', named('after'), undefined, `b.created_at >= @${named('after')}`, after)
    if (untagged) add('untagged', named('untagged'), undefined, `@${named('untagged')} = 1 AND ${IS_UNTAGGED}`, 1)
    if (anyTag) {
      const ids = anyTag.flatMap((name) => (findTag.get(foldName(name)) as number | undefined) ?? [])
      if (ids.length === 0) return undefined
      const tokens = ids.map(filterToken.tag)
      const bookmarks = tokens.reduce((sum, token) => sum + countOf(token), 0)
      const name = named('anyTag')
      parts.push({ kind: 'tag', name, tokens, condition: hasOneOf(name), value: JSON.stringify(ids), bookmarks })
    }
    for (const [index, name] of tags.entries()) {
      const tag = findTag.get(foldName(name)) as number | undefined
      if (tag === undefined) return undefined
      const bound = named(`tag${index}`)
      const has = `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @${bound})`
      add('tag', bound, filterToken.tag(tag), has, tag)
    }
    return parts
  }
}

function isMarked(name: string): string {
  return `EXISTS (SELECT 1 FROM link_checks l
    WHERE l.bookmark_id = b.id AND l.mark IN (SELECT value FROM json_each(@${name})))`
}

function hasOneOf(name: string): string {
  return `EXISTS (SELECT 1 FROM bookmark_tags bt
    WHERE bt.bookmark_id = b.id AND bt.tag_id IN (SELECT value FROM json_each(@${name})))`
}

const IS_UNTAGGED = 'NOT EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id)'

/** That a row's domain is the bound one, or below it. */
export function isOfSite(alias: string, bound = 'domain'): string {
  return `(${alias}.domain = @${bound} OR substr(${alias}.domain, -length(@${bound}) - 1) = '.' || @${bound})`
}
