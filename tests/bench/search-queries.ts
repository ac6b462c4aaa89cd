import { randomFrom } from '../support/random.ts'
import type { KindQuery } from './search-kinds.ts'
import { type Known, someCharacters, someWords } from './search-library.ts'

/** A search as an agent makes it. */
export interface Query {
  words: string
  page: number
  filters: Record<string, unknown>
}

/** Two hundred searches of the kinds people and agents make, in turn. */
export function mixedQueries(sample: Known[]): Query[] {
  const { any, words, characters } = from(sample, 13)
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

/** Two hundred searches that are slow in one way or another, among common ones. */
export function hardQueries(sample: Known[]): Query[] {
  const { any, words } = from(sample, 19)
  return inTurn([
    () => ({ words: '"from the guide"' }), // a phrase that stands in pages' texts only
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

/** Questions that no bookmark answers with every word: each is loosened. */
export function relaxedQueries(queries: KindQuery[]): Query[] {
  const loose = queries.filter(({ kind }) => !/^(two words|three words|whole title)/.test(kind))
  const step = Math.max(1, Math.floor(loose.length / 200))
  return loose.filter((_, index) => index % step === 0).map(({ q }) => ({ words: q, page: 1, filters: {} }))
}

/** Searches by words alone, which every search engine takes. */
export function plainQueries(sample: Known[]): Query[] {
  const { words, characters } = from(sample, 23)
  return inTurn([
    () => ({ words: words(1) }),
    () => ({ words: words(2) }),
    () => ({ words: words(3) }),
    () => ({ words: characters(2) }),
    () => ({ words: 'the' }),
    () => ({ words: words(2) })
  ])
}

function inTurn(makers: (() => Partial<Query> & { words: string })[]): Query[] {
  return Array.from({ length: 200 }, (_, index) => ({
    page: 1,
    filters: {},
    ...(makers[index % makers.length] ?? (() => ({ words: 'guide' })))()
  }))
}

function from(sample: Known[], seed: number) {
  const random = randomFrom(seed)
  const any = () =>
    sample[Math.floor(random() * sample.length)] ?? { id: '', title: 'guide', domain: 'a.example', url: '' }
  const until = (make: (title: string) => string | undefined): string => {
    for (let time = 0; time < 1000; time++) {
      const made = make(any().title)
      if (made !== undefined) return made
    }
    return 'guide'
  }
  return {
    any,
    words: (count: number) => until((title) => someWords(title, count, random)),
    characters: (count: number) => until((title) => someCharacters(title, count, random))
  }
}
