import { expect, test } from 'vitest'
import type { Group } from '../../src-main/search/groups.ts'
import { createRanking, type Rankable } from '../../src-main/search/rank.ts'
import type { Alternative } from '../../src-main/search/wordings.ts'

const NOTHING: Rankable = { title: '', tags: [], domain: null, url: null, description: '' }

function group(word: string, weight = 1, others: Alternative[] = []): Group {
  const alternatives = [{ tokens: [word], weight: 1 }, ...others]
  return { typed: word, term: word, alternatives, weight, isStopWord: false, matchCount: 1, replacement: undefined }
}

function page(texts: Partial<Rankable>): Rankable {
  return { ...NOTHING, ...texts }
}

/** The names of pages, the best match first. */
function order(groups: Group[], pages: Record<string, Rankable>): string[] {
  const fitOf = createRanking(groups)
  const scored = Object.entries(pages).map(([name, texts]) => ({ name, score: fitOf(texts, 0).score }))
  return scored.sort((a, b) => b.score - a.score).map(({ name }) => name)
}

test('a relaxed match ranks by the field that has the word', () => {
  const pages = {
    address: page({ url: 'https://a.example/x/rust' }),
    title: page({ title: 'About Rust and more' }),
    tag: page({ tags: ['rust'] }),
    site: page({ domain: 'rust.example' }),
    none: page({ title: 'rusty' })
  }
  expect(order([group('rust')], pages)).toEqual(['title', 'tag', 'site', 'address', 'none'])
})

test('a bookmark with more of the telling words ranks first', () => {
  const groups = [group('rust', 5), group('the', 0.1), group('async', 3)]
  const pages = {
    two: page({ title: 'the async' }),
    both: page({ description: 'rust async' }),
    one: page({ title: 'rust' })
  }
  expect(order(groups, pages)).toEqual(['both', 'one', 'two'])
})

test('of few words the most telling one counts more than the field; in a long query it does not', () => {
  const few = [group('основы', 6.6), group('перл', 9.7), group('маслов', 9.7)]
  const pages = { title: page({ title: 'Основы Go' }), author: page({ title: 'Perl', description: 'Маслов' }) }
  expect(order(few, pages)).toEqual(['author', 'title'])
  const many = ['a', 'b', 'c', 'd'].map((word) => group(word, 0.1))
  expect(order([...few, ...many], pages)).toEqual(['title', 'author'])
})

test('of two titles with the word, the shorter one ranks first', () => {
  const pages = { long: page({ title: 'A list of docker tools and more' }), short: page({ title: 'Docker' }) }
  expect(order([group('docker')], pages)).toEqual(['short', 'long'])
})

test.for([
  ['another form', { tokens: ['crates'], weight: 0.8 }, { title: 'crates' }],
  ['a phrase across punctuation', { tokens: ['open', 'sound'], weight: 0.9 }, { title: 'Open-Sound Control' }],
  ['parts that stand apart', { tokens: ['sound', 'open'], weight: 0.6, apart: true }, { title: 'open your sound' }],
  ['the beginning of a word', { tokens: ['cra'], weight: 0.7, prefix: true }, { title: 'crabs' }],
  ['a word with accents', { tokens: ['cafe'], weight: 1 }, { title: 'Café' }],
  ['characters within a run', { tokens: ['文档'], weight: 1 }, { title: '中文文档下载' }],
  [
    'an address that is percent-encoded',
    { tokens: ['日本'], weight: 1 },
    { url: 'https://a.example/%E6%97%A5%E6%9C%AC' }
  ]
] satisfies [string, Alternative, Partial<Rankable>][])('the relaxed rank recognizes %s', ([, alternative, texts]) => {
  const fitOf = createRanking([group('xylophone', 1, [alternative])])
  expect(fitOf(page(texts), 0).matchedBits).toBe(1)
})

test('a match that only the index has counts least, and an unknown word does not count', () => {
  const fitOf = createRanking([group('rust'), { ...group('nobody'), matchCount: 0 }])
  expect(fitOf(page({}), 0b01)).toMatchObject({ matchedBits: 1 })
  expect(fitOf(page({}), 0b01).score).toBeLessThan(fitOf(page({ description: 'rust' }), 0b01).score)
  expect(fitOf(page({}), 0)).toMatchObject({ matchedBits: 0, score: 0 })
})
