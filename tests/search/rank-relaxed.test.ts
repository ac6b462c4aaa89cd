import { expect, test } from 'vitest'
import type { Group } from '../../src-main/search/groups.ts'
import type { Rankable } from '../../src-main/search/rank.ts'
import { rankRelaxed } from '../../src-main/search/rank-relaxed.ts'
import type { Alternative } from '../../src-main/search/wordings.ts'

function group(word: string, weight = 1, others: Alternative[] = []): Group {
  const alternatives = [{ tokens: [word], weight: 1 }, ...others]
  return { typed: word, term: word, alternatives, weight, empty: false, held: 1, instead: undefined }
}

function page(texts: Partial<Rankable>): Rankable {
  return { title: '', tags: [], domain: null, url: null, description: '', ...texts }
}

/** Pages in order of their fit. */
function order(groups: Group[], pages: Record<string, Rankable>): string[] {
  const fitOf = rankRelaxed(groups)
  const scored = Object.entries(pages).map(([name, one]) => ({ name, score: fitOf(one, 0).score }))
  return scored.sort((a, b) => b.score - a.score).map(({ name }) => name)
}

test('a word counts by where it stands', () => {
  const pages = {
    address: page({ url: 'https://a.example/x/rust' }),
    title: page({ title: 'About Rust and more' }),
    tag: page({ tags: ['rust'] }),
    site: page({ domain: 'rust.example' }),
    none: page({ title: 'rusty' })
  }
  expect(order([group('rust')], pages)).toEqual(['title', 'tag', 'site', 'address', 'none'])
})

test('what holds more of what tells much comes first', () => {
  const groups = [group('rust', 5), group('the', 0.1), group('async', 3)]
  const pages = {
    two: page({ title: 'the async' }),
    both: page({ description: 'rust async' }),
    one: page({ title: 'rust' })
  }
  expect(order(groups, pages)).toEqual(['both', 'one', 'two'])
})

test('of few words the one that tells most counts more than where another stands; in a sentence that is less sure', () => {
  const few = [group('основы', 6.6), group('перл', 9.7), group('маслов', 9.7)]
  const pages = { title: page({ title: 'Основы Go' }), author: page({ title: 'Perl', description: 'Маслов' }) }
  expect(order(few, pages)).toEqual(['author', 'title'])
  const many = ['a', 'b', 'c', 'd'].map((word) => group(word, 0.1))
  expect(order([...few, ...many], pages)).toEqual(['title', 'author'])
})

test('of two titles with the words, the shorter comes first', () => {
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
] satisfies [string, Alternative, Partial<Rankable>][])('%s is seen', ([, alternative, texts]) => {
  const fitOf = rankRelaxed([group('xylophone', 1, [alternative])])
  expect(fitOf(page(texts), 0).holds).toBe(1)
})

test('what only the index knows it holds counts least, and what no bookmark holds not at all', () => {
  const fitOf = rankRelaxed([group('rust'), { ...group('nobody'), held: 0 }])
  expect(fitOf(page({}), 0b01)).toMatchObject({ holds: 1, share: 1 })
  expect(fitOf(page({}), 0b01).score).toBeLessThan(fitOf(page({ description: 'rust' }), 0b01).score)
  expect(fitOf(page({}), 0)).toMatchObject({ holds: 0, share: 0, score: 0 })
})
