/**
 * `npm run bench -- related --corpus DIR`: how well bookmarks like one, and tags for one, are found among real bookmarks
 * (`bookmarks.jsonl` and `queries.json`, as for `bench -- search`). Each is asked for as if it had no tags. Beside it the plain
 * way: TF-IDF over all bookmarks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { votedTags } from '../../src-main/search/related.ts'
import { readRankable } from '../../src-main/search/sql/ranked-rows.ts'
import { matchRelated } from '../../src-main/search/sql/related-matches.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { randomFrom } from '../support/random.ts'
import { readCorpus } from './search-kinds.ts'
import { fillLibrary } from './search-library.ts'

const TRIES = 600

/** Bookmarks that vote for tags, as in the app. */
const MOST_VOTING = 40

interface Neighbour {
  score: number
  tags: string[]
}

const { corpus } = parseArgs({ options: { corpus: { type: 'string' } } }).values
if (corpus === undefined) throw new Error('usage: npm run bench -- related --corpus DIR')
const { drafts } = readCorpus(corpus)
const folder = mkdtempSync(join(tmpdir(), 'earmark-bench-'))
try {
  fillLibrary(folder, drafts.length, drafts)
  const db = openReadConnection(join(folder, 'library.sqlite'))
  const counts = new Map<string, number>()
  for (const { tags } of drafts) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const random = randomFrom(7)
  // Row ids count from 1; a tag that no other bookmark has can be found by nobody.
  const asked = Array.from({ length: TRIES * 2 }, () => 1 + Math.floor(random() * drafts.length))
    .map((id) => ({ id, one: readRankable(db, [id]).get(id) }))
    .flatMap(({ id, one }) => (one ? [{ id, one, leaf: one.tags.find((tag) => tag === leafOf(one.url)) }] : []))
    .filter(({ leaf }) => leaf !== undefined && (counts.get(leaf) ?? 0) > 1)
    .slice(0, TRIES)
  const plain = tfIdf()
  const usual = [...counts].sort(([, a], [, b]) => b - a).map(([tag]) => tag)
  const times: number[] = []
  const ours = (id: number, one: (typeof asked)[number]['one']): Neighbour[] => {
    const begun = performance.now()
    const found = matchRelated(db, PROFILE, { ...one, tags: [] }, { except: id, most: MOST_VOTING })
    times.push(performance.now() - begun)
    return found.map(({ score, bookmark }) => ({ score, tags: bookmark.tags }))
  }
  const tally = (name: string, find: (id: number, one: (typeof asked)[number]['one']) => Neighbour[]) => {
    let [sameTag, suggested] = [0, 0]
    for (const { id, one, leaf = '' } of asked) {
      const found = find(id, one)
      if (found.slice(0, 5).some(({ tags }) => tags.includes(leaf))) sameTag += 1
      if (
        votedTags(found)
          .slice(0, 3)
          .some((tag) => one.tags.includes(tag))
      )
        suggested += 1
    }
    const share = (count: number) => Number((count / asked.length).toFixed(3))
    return { '': name, 'same last tag in first five': share(sameTag), 'right tag in first three': share(suggested) }
  }
  console.table([
    tally('Earmark', ours),
    tally('TF-IDF', plain),
    tally('most used tags', () => [{ score: 1, tags: usual.slice(0, 3) }])
  ])
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1)
  console.log(
    `${drafts.length} bookmarks, ${asked.length} asked for; ms each: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`
  )
  db.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The last heading above a link is what its list says it is about. */
function leafOf(url: string | null): string | undefined {
  return drafts.find((draft) => draft.url === url)?.tags.at(-1)
}

/** Returns what finds the bookmarks nearest to one by the cosine of their words' TF-IDF. */
function tfIdf(): (id: number) => Neighbour[] {
  const texts = drafts.map(({ title, description }) => {
    const words = new Map<string, number>()
    for (const word of `${title} ${description}`.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])
      words.set(word, (words.get(word) ?? 0) + 1)
    return words
  })
  const holders = new Map<string, number[]>()
  for (const [at, words] of texts.entries())
    for (const word of words.keys()) holders.set(word, [...(holders.get(word) ?? []), at])
  const weigh = (word: string, times: number) => times * Math.log(drafts.length / (holders.get(word)?.length ?? 1))
  const lengths = texts.map((words) => Math.hypot(...[...words].map(([word, times]) => weigh(word, times))) || 1)
  return (id) => {
    const scores = new Map<number, number>()
    for (const [word, times] of texts[id - 1] ?? []) {
      for (const at of holders.get(word) ?? []) {
        if (at === id - 1) continue
        const both = weigh(word, times) * weigh(word, texts[at]?.get(word) ?? 0)
        scores.set(at, (scores.get(at) ?? 0) + both / (lengths[at] ?? 1))
      }
    }
    return [...scores]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_VOTING)
      .map(([at, score]) => ({ score, tags: drafts[at]?.tags ?? [] }))
  }
}
