import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples } from '../../database/sql.ts'
import { foldAccents } from '../fold-letters.ts'
import { type Rankable, rank, rankTitle } from '../rank.ts'

/**
 * Returns the best of a few bookmarks, best first: at least `most`, where there are as many. Those that hold a word of
 * every group in their title come first, and the others are read only where those are too few.
 */
export function rankBest(db: ReadConnection, ids: number[], groups: string[][], most: number): number[] {
  const { inTitle, others } = divideByTitle(db, ids, groups)
  if (inTitle.length >= most || others.length === 0) return inTitle
  const words = groups.flat()
  const ranked = [...readRankable(db, others)].map(([id, bookmark]) => ({ id, score: rank(bookmark, words) }))
  return [...inTitle, ...bestFirst(ranked)]
}

/** Puts bookmarks in front that hold a word of every group in their title, best first. The others keep their order. */
export function titlesFirst(db: ReadConnection, ids: number[], groups: string[][]): number[] {
  const { inTitle, others } = divideByTitle(db, ids, groups)
  return [...inTitle, ...others]
}

/** Ranks bookmarks that hold all words in their titles and tags by their titles alone. */
export function rankByTitle(db: ReadConnection, ids: number[], words: string[]): number[] {
  return bestFirst(readTitles(db, ids).map(([id, title]) => ({ id, score: rankTitle(foldAccents(title), words) })))
}

/** Returns the texts that bookmarks are ranked by, by row id. */
export function readRankable(db: ReadConnection, ids: number[]): Map<number, Rankable> {
  const rows = readRows<Omit<Rankable, 'tags'> & { id: number; tags: string }>(db, TEXTS, JSON.stringify(ids))
  return new Map(rows.map(({ id, tags, ...texts }) => [id, { ...texts, tags: JSON.parse(tags) as string[] }]))
}

const TEXTS = `SELECT b.id, b.title, b.url, b.domain, b.description, (SELECT json_group_array(t.name)
    FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id) AS tags
  FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value`

function readTitles(db: ReadConnection, ids: number[]): [id: number, title: string][] {
  const titles = 'SELECT b.id, b.title FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value'
  return readTuples(db, titles, JSON.stringify(ids))
}

function divideByTitle(db: ReadConnection, ids: number[], groups: string[][]): { inTitle: number[]; others: number[] } {
  const words = groups.flat()
  const inTitle: Scored[] = []
  const others: number[] = []
  for (const [id, title] of readTitles(db, ids)) {
    const folded = foldAccents(title)
    const holdsAll = groups.every((group) => group.some((word) => folded.includes(word)))
    if (holdsAll) inTitle.push({ id, score: rankTitle(folded, words) })
    else others.push(id)
  }
  return { inTitle: bestFirst(inTitle), others }
}

interface Scored {
  id: number
  score: number
}

function bestFirst(scored: Scored[]): number[] {
  return scored.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
}
