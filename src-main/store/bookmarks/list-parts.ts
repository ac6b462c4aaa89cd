import type { BookmarkFilter } from '../../contract/bookmark.ts'
import { type Filter, isOfSite, readFilters } from '../../search/sql/filters.ts'
import { UNINDEXED } from '../../search/sql/index-queue.ts'
import type { ReadConnection } from '../connection.ts'

/** One filter of a list: the rows it lets through as a set, and as a condition on `bookmarks b`. */
export interface ListPart extends Pick<Filter, 'condition' | 'bookmarks'> {
  /** The expression that finds them in the index of titles. */
  match: string
  set: string
  values: Record<string, string | number>
  /** The cost of the condition for a row, in microseconds: the lists' indexes hold some columns, others are looked up. */
  cost: number
}

/** Takes a filter apart; `undefined` where it asks for a tag that nobody has. */
export function listPartsOf(db: ReadConnection, filter: BookmarkFilter): ListPart[] | undefined {
  return readFilters(db, filter)?.map(listPart)
}

function listPart({ kind, name, tokens, condition, value, bookmarks }: Filter): ListPart {
  const match = `(${tokens.map((token) => `"${token}"`).join(' OR ')})`
  return {
    match,
    bookmarks,
    // A tag by its rows, for the index follows a change of a large tag later.
    set:
      kind === 'tag'
        ? `SELECT bookmark_id AS id FROM bookmark_tags WHERE tag_id = @${name}`
        : `SELECT rowid AS id FROM bookmark_titles WHERE bookmark_titles MATCH @${name}Token
           UNION ALL SELECT b.id FROM ${UNINDEXED} WHERE ${condition}`,
    condition:
      kind === 'domain' ? `EXISTS (SELECT 1 FROM bookmarks s WHERE s.id = b.id AND ${isOfSite('s')})` : condition,
    values: { [name]: value, [`${name}Token`]: match },
    cost: COSTS[kind]
  }
}

const COSTS: Record<Filter['kind'], number> = {
  permission: 0,
  type: 0,
  visibility: 0,
  organization: 0,
  domain: 1.5,
  tag: 1,
  link: 1,
  date: 0,
  untagged: 1
}
