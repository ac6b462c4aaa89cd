import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { Owner } from '../../contract/caller.ts'
import type { ImportDraft } from '../../contract/library-export.ts'
import type { LinkMark } from '../../contract/link-check.ts'
import { MAX_PAGE_TEXT } from '../../contract/page-details.ts'
import { percentDecoded } from '../../core/address.ts'
import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue } from '../../database/sql.ts'
import { baseTokens, dateTokens, filterToken, parentTagTokens, siteTokens, startOfMonth } from '../filter-tokens.ts'
import { indexText } from '../segment.ts'

/** Separates texts in one column, so that no phrase matches across them. */
export const SEPARATOR = ' \ue001 '

/** The data of a bookmark that is indexed. */
export interface IndexedRow {
  id: number
  type: BookmarkType
  visibility: Visibility
  organization: number | null
  domain: string | null
  link: LinkMark | null
  url: string | null
  title: string
  description: string
  content: string
  filters: string | null
  createdAt: number
  deletedAt: number | null
  toIndex: 1 | null
  pageText: string | null
  /** The quotes and notes of its highlights. */
  highlights: { quote: string; note: string }[]
  /** By row id. */
  tags: { id: number; name: string }[]
}

/** Returns the rows with these ids that exist, in ascending order. Each tag name is read only once. */
export function readIndexedRows(db: ReadConnection, rowIds: number[]): IndexedRow[] {
  const ids = JSON.stringify(rowIds)
  const names = new Map<number, string>()
  const tags = new Map<number, IndexedRow['tags']>()
  for (const [bookmark, id] of readTuples<[bookmark: number, tag: number]>(db, TAGS, ids)) {
    const name = names.get(id) ?? readValue<string>(db, 'SELECT name FROM tags WHERE id = ?', id) ?? ''
    names.set(id, name)
    const rowTags = tags.get(bookmark)
    if (rowTags) rowTags.push({ id, name })
    else tags.set(bookmark, [{ id, name }])
  }
  const highlights = Map.groupBy(readRows<HighlightRow>(db, HIGHLIGHTS, ids), ({ bookmark }) => bookmark)
  const rows = readRows<Omit<IndexedRow, 'tags' | 'highlights'>>(db, ROWS, ids)
  return rows.map((row) => ({ ...row, tags: tags.get(row.id) ?? [], highlights: highlights.get(row.id) ?? [] }))
}

const ROWS = `SELECT id, type, visibility, organization_id AS organization, url, domain, title, description, content, filters,
    created_at AS createdAt, deleted_at AS deletedAt, to_index AS toIndex,
    (SELECT mark FROM link_checks l WHERE l.bookmark_id = bookmarks.id) AS link,
    (SELECT text FROM page_texts p
      WHERE p.bookmark_id = bookmarks.id AND (p.from_tab = 0 OR visibility = 'private')) AS pageText
  FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`

const TAGS = `SELECT bookmark_id, tag_id FROM bookmark_tags WHERE bookmark_id IN (SELECT value FROM json_each(?))
  ORDER BY bookmark_id, tag_id`

interface HighlightRow {
  bookmark: number
  quote: string
  note: string
}

const HIGHLIGHTS = `SELECT bookmark_id AS bookmark, highlight ->> '$.quote' AS quote, highlight ->> '$.note' AS note
  FROM highlights WHERE bookmark_id IN (SELECT value FROM json_each(?)) ORDER BY bookmark_id, id`

/**
 * Returns the texts of a bookmark for the indexes. `content` is its own text, and `searchable` also includes the text of
 * its page and its highlights. Only the owner may find highlights, so only those of private bookmarks are included.
 */
export function indexedTexts(row: IndexedRow) {
  const { title, tags, url, description, content, pageText, visibility, highlights } = row
  const ownText = indexText(content)
  const page = pageText === null ? [] : [indexText(pageText).slice(0, MAX_PAGE_TEXT)]
  const marked = visibility === 'private' ? highlights.flatMap(({ quote, note }) => [quote, note]) : []
  return {
    title: indexText(title),
    tags: tags.map(({ name }) => indexText(name)).join(SEPARATOR),
    address: indexText(percentDecoded(url ?? '')),
    description: indexText(description),
    content: ownText,
    searchable: [ownText, ...page, ...marked.filter((text) => text !== '').map(indexText)].join(SEPARATOR)
  }
}

/** Returns the filter tokens of a row. */
export function rowTokens(row: IndexedRow): string[] {
  return [
    ...baseTokens(row.type, row.visibility, row.organization),
    ...dateTokens(row.createdAt),
    ...(row.link === null ? [] : [filterToken.link(row.link)]),
    ...(row.highlights.length === 0 ? [] : [filterToken.highlighted]),
    ...(row.domain === null ? [] : siteTokens(row.domain)),
    ...row.tags.map(({ id }) => filterToken.tag(id)),
    ...new Set(row.tags.flatMap(({ name }) => parentTagTokens(name)))
  ]
}

/** Tokens that many rows have in common. */
interface Group {
  tokens: string[]
  /** The tokens with spaces between them. */
  text: string
  /** The number of rows. */
  rows: number
}

/**
 * Makes and counts the filter tokens of many new rows, faster than `rowTokens` for each: tokens that rows have in common
 * are made once, and counted at the end.
 */
export function filterTally() {
  const groups: Group[] = []
  const group = (tokens: string[]): Group => {
    const made = { tokens, text: tokens.join(' '), rows: 0 }
    groups.push(made)
    return made
  }
  const site = memoize((domain: string) => group(siteTokens(domain)))
  const tag = memoize((rowId: number) => group([filterToken.tag(rowId)]))
  const month = memoize((start: number) => group(dateTokens(start)))
  const other = memoize((token: string) => group([token]))
  const base = memoize((type: BookmarkType) =>
    memoize((visibility: Visibility) => memoize((owner: Owner) => group(baseTokens(type, visibility, owner))))
  )

  return {
    /** @param tagIds the row ids of the draft’s tags, in ascending order */
    groupsOf(draft: ImportDraft, tagIds: number[]): Group[] {
      const { type, visibility, owner, domain, tags, createdAt, highlights = [] } = draft
      const sites = domain === null ? [] : [site(domain)]
      const parents = new Set(tags.flatMap(parentTagTokens))
      return [
        base(type)(visibility)(owner),
        month(startOfMonth(createdAt)),
        ...(highlights.length === 0 ? [] : [other(filterToken.highlighted)]),
        ...sites,
        ...tagIds.map(tag),
        ...[...parents].map(other)
      ]
    },
    /** Returns the column `filters` of a row with these groups. */
    textOf: (groups: Group[]): string => groups.map(({ text }) => text).join(' '),
    count(groups: Group[]): void {
      for (const group of groups) group.rows += 1
    },
    /** Returns how many of the counted rows have each token. */
    counts(): Map<string, number> {
      const counts = new Map<string, number>()
      for (const { tokens, rows } of groups) {
        for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + rows)
      }
      return counts
    }
  }
}
