/** What is searched for: questions for a known bookmark, and mixes of common and slow searches. */
import { openReadConnection } from '../../src-main/database/connection.ts'
import { randomFrom } from '../support/runs.ts'

const TRIES = 150

/** A bookmark of the library. */
export interface Known {
  id: string
  title: string
  domain: string
  url: string
}

/** A question for a known bookmark. */
export interface Question {
  kind: string
  q: string
  url: string
}

/** A search as an agent makes it. */
export interface Query {
  words: string
  page: number
  filters: Record<string, unknown>
}

/** Two thousand bookmarks from the whole library. */
export function readSample(file: string, rows: number): Known[] {
  const db = openReadConnection(file)
  const find = db.prepare('SELECT public_id AS id, title, domain, url FROM bookmarks WHERE id = ?')
  const random = randomFrom(17)
  const found = Array.from({ length: Math.min(rows, 2000) }, () => find.get(1 + Math.floor(random() * rows)))
  db.close()
  return found.filter((row) => row !== undefined) as Known[]
}

/** Questions with a mistake or too many words, for example, for which the bookmark should be found. */
export function makeQuestions(sample: Known[]): Question[] {
  const random = randomFrom(29)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const latin = sample
    .map(({ title, url }) => ({ url, words: title.split(' ').filter((word) => /^[a-z]{5,}$/.test(word)) }))
    .filter(({ words }) => words.length > 0)
  const otherWord = () => pick(latin).words[0] ?? 'xylophone'
  const questions: Question[] = []
  for (const { url, words } of latin.filter(({ words }) => words.length >= 3).slice(0, TRIES)) {
    const [a = '', b = '', c = ''] = words
    const at = 1 + Math.floor(random() * (c.length - 2))
    questions.push(
      { kind: 'two words', q: `${b} ${a}`, url },
      { kind: 'three words', q: `${c} ${a} ${b}`, url },
      { kind: 'one word too many', q: `${a} ${otherWord()} ${b} ${c}`, url },
      { kind: 'two words too many', q: `${a} ${otherWord()} ${b} ${otherWord()} ${c}`, url },
      { kind: 'a typo', q: `${a} ${b} ${c.slice(0, at)}${c.slice(at + 1)}`, url },
      { kind: 'joined words', q: `${a}${b} ${c}`, url }
    )
  }
  const parts = sample.flatMap(({ title, url }) => {
    const [, digits] = /[A-Z]+(\d{4})$/.exec(title) ?? []
    return digits === undefined ? [] : [{ kind: 'part of a word', q: digits, url }]
  })
  const han = sample
    .filter(({ title }) => !/[a-z]/.test(title) && [...title].length >= 8)
    .map(({ title, url }) => ({ kind: 'Han, unspaced', q: title.slice(0, 3) + title.slice(-3), url }))
  return [...questions, ...parts.slice(0, TRIES), ...han.slice(0, TRIES)]
}

/** Two hundred searches of the kinds that people and agents make. */
export function mixedQueries(sample: Known[]): Query[] {
  const { any, words, characters } = makers(sample, 13)
  return inTurn([
    () => ({ words: words(1) }),
    () => ({ words: words(2) }),
    () => ({ words: words(3) }),
    () => ({ words: characters(2) }),
    () => ({ words: characters(4) }),
    () => ({ words: `"${any().title.split(' ').slice(0, 2).join(' ')}"` }),
    () => ({ words: 'the' }),
    () => ({ words: 'guide', page: 20 }),
    () => ({ words: `${words(1)} -the` }),
    () => ({ words: words(1), filters: { domain: any().domain } })
  ])
}

/** Two hundred searches, most of which are slow in one way or another. */
export function hardQueries(sample: Known[]): Query[] {
  const { any, words } = makers(sample, 19)
  return inTurn([
    () => ({ words: '"from the guide"' }), // a phrase that only texts of pages have
    () => ({ words: any().title.charAt(0) }),
    () => ({ words: 'the' }),
    () => ({ words: 'guide', page: 1900 }),
    () => ({ words: words(2) }),
    () => ({ words: `"the of"` }),
    () => ({ words: 'why vs what best' }),
    () => ({ words: '-the' }),
    () => ({ words: `${words(1)}x` }),
    () => ({ words: 'the -of', filters: { type: 'link', visibility: 'private' } })
  ])
}

/** Questions for which no bookmark has every word, so that the search is loosened. */
export function loosenedQueries(questions: Question[]): Query[] {
  const loose = questions.filter(({ kind }) => !/^(two words|three words|part of a word)/.test(kind))
  const step = Math.max(1, Math.floor(loose.length / 200))
  return loose.filter((_, index) => index % step === 0).map(({ q }) => ({ words: q, page: 1, filters: {} }))
}

/** Searches by words alone, which every search engine supports. */
export function plainQueries(sample: Known[]): string[] {
  const { words, characters } = makers(sample, 23)
  const all = [() => words(1), () => words(2), () => words(3), () => characters(2), () => 'the', () => words(2)]
  return inTurn(all.map((make) => () => ({ words: make() }))).map((query) => query.words)
}

function inTurn(makers: (() => Partial<Query> & { words: string })[]): Query[] {
  const make = (index: number) => makers[index % makers.length]?.() ?? { words: 'guide' }
  return Array.from({ length: 200 }, (_, index) => ({ page: 1, filters: {}, ...make(index) }))
}

function makers(sample: Known[], seed: number) {
  const random = randomFrom(seed)
  const any = () =>
    sample[Math.floor(random() * sample.length)] ?? { id: '', title: 'guide', domain: 'a.example', url: '' }
  const firstOf = (make: (title: string) => string | undefined): string => {
    for (let tries = 0; tries < 1000; tries++) {
      const made = make(any().title)
      if (made !== undefined) return made
    }
    return 'guide'
  }
  return {
    any,
    /** Words of a title, of four letters and more, in any order. */
    words: (count: number) =>
      firstOf((title) => {
        const words = [...new Set(title.split(' '))].filter((word) => /^[a-z]{4,}$/.test(word))
        const shuffled = words.map((word) => ({ word, order: random() })).sort((a, b) => a.order - b.order)
        const chosen = shuffled.slice(0, count).map(({ word }) => word)
        return chosen.length < count ? undefined : chosen.join(' ')
      }),
    /** Neighbouring characters of a Chinese or Japanese title. */
    characters: (count: number) =>
      firstOf((title) => {
        const characters = [...title]
        if (/[a-z]/.test(title) || characters.length < count) return undefined
        const start = Math.floor(random() * (characters.length - count + 1))
        return characters.slice(start, start + count).join('')
      })
  }
}
