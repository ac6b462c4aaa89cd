import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { LinkMark } from '../../contract/link-check.ts'
import { MOST_PAGE_TEXT } from '../../contract/page-details.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { filterToken, placeTokens, siteTokens } from '../filter-tokens.ts'
import { indexText } from '../segment.ts'

/** Between two tags, so that no phrase is found across them. */
export const APART = ' \ue001 '

/** What of a row it is filtered by, beside its tags. */
interface Filtered {
  type: BookmarkType
  visibility: Visibility
  organization: number | null
  domain: string | null
  link: LinkMark | null
}

export interface IndexedRow extends Filtered {
  id: number
  pageKey: string | null
  picture: string | null
  url: string | null
  title: string
  description: string
  content: string
  filters: string | null
  deletedAt: number | null
  unindexed: 1 | null
  pageText: string | null
  /** In the order of their row ids. */
  tags: { id: number; name: string }[]
}

/** Reads what of bookmarks is indexed. */
export function indexedRows(db: Pick<ReadConnection, 'prepare'>) {
  const read = db.prepare<[string], Omit<IndexedRow, 'tags'>>(
    `SELECT id, type, visibility, organization_id AS organization, url, domain, title, description, content, filters,
       deleted_at AS deletedAt, unindexed, page_key AS pageKey, picture,
       (SELECT mark FROM link_checks l WHERE l.bookmark_id = bookmarks.id) AS link,
       (SELECT text FROM page_texts p WHERE p.bookmark_id = bookmarks.id) AS pageText
     FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`
  )
  const readTags = db
    .prepare<[string], [bookmark: number, tag: number]>(
      `SELECT bookmark_id, tag_id FROM bookmark_tags WHERE bookmark_id IN (SELECT value FROM json_each(?))
       ORDER BY bookmark_id, tag_id`
    )
    .raw()
  const nameOf = db.prepare<[number], string>('SELECT name FROM tags WHERE id = ?').pluck()

  /** Those of these row ids that are there, in ascending order. A tag's name is read once for all of them. */
  return (rowIds: number[]): IndexedRow[] => {
    const ids = JSON.stringify(rowIds)
    const names = new Map<number, string>()
    const tags = new Map<number, IndexedRow['tags']>()
    for (const [bookmark, id] of readTags.all(ids)) {
      const name = names.get(id) ?? nameOf.get(id) ?? ''
      names.set(id, name)
      const known = tags.get(bookmark)
      if (known) known.push({ id, name })
      else tags.set(bookmark, [{ id, name }])
    }
    return read.all(ids).map((row) => ({ ...row, tags: tags.get(row.id) ?? [] }))
  }
}

/** The texts of a bookmark as the indexes get them; `said` is its content with the text of its page. */
export function indexedTexts({ title, tags, url, description, content, pageText }: IndexedRow) {
  const own = indexText(content)
  return {
    title: indexText(title),
    tags: tags.map(({ name }) => indexText(name)).join(APART),
    address: indexText(readable(url ?? '')),
    description: indexText(description),
    content: own,
    said: pageText === null ? own : `${own}${APART}${indexText(pageText).slice(0, MOST_PAGE_TEXT)}`
  }
}

/** The tokens of a row's filters. */
export function filtersOf(row: IndexedRow): string[] {
  return [
    ...placeTokens(row.type, row.visibility, row.organization),
    ...(row.link === null ? [] : [filterToken.link(row.link)]),
    ...(row.domain === null ? [] : siteTokens(row.domain)),
    ...row.tags.map(({ id }) => filterToken.tag(id))
  ]
}

/** The words of an address: percent-encoding undone, so that `%E6%97%A5` is found by its character. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
