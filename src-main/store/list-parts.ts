import type { BookmarkFilter } from '../contract/bookmark.ts'
import { siteOf } from '../core/address.ts'
import { foldName } from '../core/fold-name.ts'
import type { ReadConnection } from './connection.ts'
import { createFilterCounts } from './filter-counts.ts'
import { filterToken } from './filter-tokens.ts'

/** One filter of a list: the rows it lets through as a set, and as a condition on `bookmarks b`. */
export interface ListPart {
  token: string
  set: string
  condition: string
  values: Record<string, string | number>
  /** How many bookmarks it lets through. */
  bookmarks: number
  /** What the condition costs a row, in microseconds: the lists' indexes hold some columns, others are looked up. */
  cost: number
}

/** Takes a filter apart; `undefined` where it asks for a tag that nobody has. */
export function createListParts(db: ReadConnection): (filter: BookmarkFilter) => ListPart[] | undefined {
  const { countOf } = createFilterCounts(db)
  const findTag = db.prepare('SELECT id FROM tags WHERE folded = ?').pluck()

  function part(name: string, token: string, condition: string, value: string | number, cost = 0): ListPart {
    return {
      token,
      set: `SELECT rowid AS id FROM bookmark_titles WHERE bookmark_titles MATCH @${name}Token`,
      condition,
      values: { [name]: value, [`${name}Token`]: `"${token}"` },
      bookmarks: countOf(token),
      cost
    }
  }

  /** By its rows, for the index follows a change of a large tag later. */
  function tagPart(name: string, tag: number): ListPart {
    return {
      ...part(name, filterToken.tag(tag), '', tag, 1),
      set: `SELECT bookmark_id AS id FROM bookmark_tags WHERE tag_id = @${name}`,
      condition: `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @${name})`
    }
  }

  return ({ type, visibility, organization, domain, tags = [] }) => {
    const parts: ListPart[] = []
    if (type) parts.push(part('type', filterToken.type(type), 'b.type = @type', type))
    if (visibility) {
      parts.push(part('visibility', filterToken.visibility(visibility), 'b.visibility = @visibility', visibility))
    }
    if (organization !== undefined) {
      const token = filterToken.organization(organization)
      parts.push(part('organization', token, 'b.organization_id = @organization', organization))
    }
    if (domain) {
      const site = siteOf(domain)
      parts.push(part('domain', filterToken.site(site), OF_SITE, site, 1.5))
    }
    for (const [index, name] of tags.entries()) {
      const tag = findTag.get(foldName(name)) as number | undefined
      if (tag === undefined) return undefined
      parts.push(tagPart(`tag${index}`, tag))
    }
    return parts
  }
}

const OF_SITE = `EXISTS (SELECT 1 FROM bookmarks s WHERE s.id = b.id
  AND (s.domain = @domain OR substr(s.domain, -length(@domain) - 1) = '.' || @domain))`
