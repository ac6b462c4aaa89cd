import type { ReadConnection } from '../../store/connection.ts'
import { type Rankable, rank, rankTitle } from '../rank.ts'

export type RankedRows = ReturnType<typeof rankedRows>

/** Reads what bookmarks are ranked by, and puts row ids in order. */
export function rankedRows(db: ReadConnection) {
  const readTitles = db
    .prepare('SELECT b.id, b.title FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value')
    .raw()
  const readTexts = db.prepare(
    `SELECT b.id, b.title, b.url, b.domain, b.description, (SELECT json_group_array(t.name) FROM bookmark_tags bt
       JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id) AS tags
     FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value`
  )
  const titlesOf = (ids: number[]) => readTitles.all(JSON.stringify(ids)) as [id: number, title: string][]

  return {
    /**
     * The best of a few bookmarks, best first: at least `most`, where there are as many. Those that hold a word of
     * every group in their title come first, and are all that is read where they are enough.
     */
    best(ids: number[], groups: string[][], most: number): number[] {
      const { inTitle, others } = byTitle(titlesOf(ids), groups)
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
      const { inTitle, others } = byTitle(titlesOf(ids), groups)
      return [...inTitle, ...others]
    },

    /** Best first, by titles alone: for bookmarks that hold all words in their titles and tags. */
    rankedByTitle(ids: number[], words: string[]): number[] {
      return sorted(titlesOf(ids).map(([id, title]) => ({ id, score: rankTitle(title.toLowerCase(), words) })))
    }
  }
}

function byTitle(titles: [id: number, title: string][], groups: string[][]): { inTitle: number[]; others: number[] } {
  const words = groups.flat()
  const inTitle: Scored[] = []
  const others: number[] = []
  for (const [id, title] of titles) {
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
