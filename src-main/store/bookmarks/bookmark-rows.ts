import type { Statement } from 'better-sqlite3'
import type { Bookmark } from '../../contract/bookmark.ts'
import { type Rankable, rank, rankTitle } from '../../core/rank.ts'
import type { ReadConnection } from '../connection.ts'

export type BookmarkRows = ReturnType<typeof bookmarkRows>

/** Reads bookmarks by their row ids. */
export function bookmarkRows(db: ReadConnection) {
  const read = db.prepare<[number], Omit<Bookmark, 'tags' | 'savedBy'> & { tags: string; savedBy: string | null }>(
    FETCH
  )
  const readTitles = db
    .prepare('SELECT b.id, b.title FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value')
    .raw()
  const readTexts = db.prepare(
    `SELECT b.id, b.title, b.url, b.domain, b.description, ${TAGS} AS tags
     FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value`
  )

  return {
    /** In the order of `ids`; one that is gone is left out. */
    bookmarks(ids: number[]): Bookmark[] {
      return ids.flatMap((id) => {
        const row = read.get(id)
        return row ? [{ ...row, tags: JSON.parse(row.tags), savedBy: row.savedBy && JSON.parse(row.savedBy) }] : []
      })
    },

    /**
     * The best of a few bookmarks, best first: at least `most`, where there are as many. Those that hold a word of
     * every group in their title come first, and are all that is read where they are enough.
     */
    best(ids: number[], groups: string[][], most: number): number[] {
      const { inTitle, others } = byTitle(readTitles, ids, groups)
      if (inTitle.length >= most || others.length === 0) return inTitle
      const rest = (readTexts.all(JSON.stringify(others)) as ReadTexts[]).map(({ id, tags, ...texts }) => ({
        id,
        score: rank({ ...texts, tags: JSON.parse(tags) as string[] }, groups.flat())
      }))
      return [...inTitle, ...sorted(rest)]
    },

    /** What bookmarks are ranked by, by their row ids. */
    texts(ids: number[]): Map<number, Rankable> {
      const found = readTexts.all(JSON.stringify(ids)) as ReadTexts[]
      return new Map(found.map(({ id, tags, ...texts }) => [id, { ...texts, tags: JSON.parse(tags) as string[] }]))
    },

    /** Those first that hold a word of every group in their title, best first. */
    titlesFirst(ids: number[], groups: string[][]): number[] {
      const { inTitle, others } = byTitle(readTitles, ids, groups)
      return [...inTitle, ...others]
    },

    /** Best first, by titles alone: for bookmarks that hold all words in their titles and tags. */
    rankedByTitle(ids: number[], words: string[]): number[] {
      const rows = readTitles.all(JSON.stringify(ids)) as [number, string][]
      return sorted(rows.map(([id, title]) => ({ id, score: rankTitle(title.toLowerCase(), words) })))
    }
  }
}

function byTitle(readTitles: Statement, ids: number[], groups: string[][]): { inTitle: number[]; others: number[] } {
  const words = groups.flat()
  const inTitle: Scored[] = []
  const others: number[] = []
  for (const [id, title] of readTitles.all(JSON.stringify(ids)) as [number, string][]) {
    const folded = title.toLowerCase()
    const holdsAll = groups.every((group) => group.some((word) => folded.includes(word)))
    if (holdsAll) inTitle.push({ id, score: rankTitle(folded, words) })
    else others.push(id)
  }
  return { inTitle: sorted(inTitle), others }
}

interface Scored {
  id: number
  score: number
}

interface ReadTexts extends Omit<Rankable, 'tags'> {
  id: number
  tags: string
}

function sorted(scored: Scored[]): number[] {
  return scored.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
}

const TAGS = `(SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
  WHERE bt.bookmark_id = b.id ORDER BY t.folded))`

/** The name of an image's small copy, of bookmarks `b` and their `page_details` `d`. */
export const PREVIEW = "ifnull(d.preview, b.picture || '.webp')"

// Looked up one by one: a join, which would be an outer one, makes a row ten times dearer.
const FETCH = `SELECT b.public_id AS id, b.type, b.visibility,
  (SELECT name FROM organizations o WHERE o.id = b.organization_id) AS organization, b.url, b.domain,
  b.title, b.description, b.content, b.created_at AS createdAt, b.updated_at AS updatedAt, b.deleted_at AS deletedAt,
  (SELECT icon FROM page_details d WHERE d.bookmark_id = b.id) AS icon,
  ifnull((SELECT preview FROM page_details d WHERE d.bookmark_id = b.id), b.picture || '.webp') AS preview, b.picture,
  (SELECT mark FROM link_checks l WHERE l.bookmark_id = b.id) AS link, ${TAGS} AS tags,
  (SELECT json_object('key', k.name, 'client', s.client) FROM bookmark_savers s JOIN api_keys k ON k.id = s.key_id
    WHERE s.bookmark_id = b.id) AS savedBy
  FROM bookmarks b WHERE b.id = ?`
