import { expect, test } from 'vitest'
import { searchGroups } from '../../src-main/search/groups.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import type { Alternative, Vocabulary, Wording } from '../../src-main/search/wordings.ts'

/** Knows bookmarks as lists of words; phrases are looked for in their order. */
function vocabularyOf(...texts: string[]): Vocabulary {
  const holds = (text: string, { tokens, prefix, apart }: Wording) =>
    apart
      ? tokens.every((token) => ` ${text} `.includes(` ${token} `))
      : ` ${text} `.includes(` ${tokens.join(' ')}${prefix ? '' : ' '}`)
  const words = new Set(texts.flatMap((text) => text.split(' ')))
  return {
    bookmarks: texts.length,
    held: (wordings) => texts.filter((text) => wordings.some((one) => holds(text, one))).length,
    known: (some) => some.filter((word) => words.has(word)),
    corrections: (word) => (word === 'rsut' ? ['rust'] : []),
    beginning: (part) => [...words].filter((word) => word.startsWith(part)),
    containing: (part) => [...words].filter((word) => word.includes(part))
  }
}

const LIBRARY = vocabularyOf('rust async book', 'textbook of crates', 'open sound control', 'node js', 'mpu6050 the')

/** What a query says, each thing with its wordings. */
function said(words: string, typing = false): Record<string, string[]> {
  const written = ({ tokens, prefix, apart }: Alternative) => `${tokens.join(apart ? ' & ' : ' ')}${prefix ? '*' : ''}`
  const groups = searchGroups(parseQuery(words), LIBRARY, typing)
  return Object.fromEntries(groups.map(({ typed, alternatives }) => [typed, alternatives.map(written)]))
}

test.for([
  ['rust', { rust: ['rust'] }],
  ['crate', { crate: ['crate', 'crates', 'crate*'].slice(0, 2) }],
  ['text book', { text: ['text', 'textbook'], book: ['book', 'textbook', 'book*'] }],
  ['opensound', { opensound: ['opensound', 'open sound'] }],
  ['node.js', { 'node.js': ['node js', 'node & js'] }],
  ['rsut', { rsut: ['rsut', 'rust'] }],
  ['asy', { asy: ['asy', 'asy*'] }],
  ['6050', { '6050': ['6050', 'mpu6050'] }],
  ['nobody', { nobody: ['nobody'] }],
  ['中文文档', { 中文: ['中文'], 文文: ['文文'], 文档: ['文档'] }],
  ['rust OR go', { 'rust OR go': ['rust', 'go'] }],
  ['rust "open sound" -book', { rust: ['rust'] }],
  ['rust book Rust', { Rust: ['rust'], book: ['book', 'book*'] }],
  ['book js', { book: ['book'], js: ['js'] }]
] satisfies [string, Record<string, string[]>][])('%s is read as %j', ([words, groups]) => {
  expect(said(words)).toEqual(groups)
})

test('a word that is being typed is the beginning of one as well', () => {
  expect(said('rust asyn', true).asyn).toContain('asyn*')
  expect(said('rust book', true).book).toContain('book*')
})

test('what few bookmarks hold tells more, and what carries nothing next to nothing', () => {
  const library = vocabularyOf('rust book', 'rust', 'rust the', 'go the book')
  const [rust, book, the] = searchGroups(parseQuery('rust book the'), library)
  expect(book?.weight).toBeGreaterThan(rust?.weight ?? 0)
  expect(the).toMatchObject({ empty: true })
  expect(the?.weight).toBeLessThan((rust?.weight ?? 0) / 5)
})

test('of a hundred words those that tell most are told apart', () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index}`)
  const groups = searchGroups(parseQuery(words.join(' ')), vocabularyOf(words.join(' ')))
  expect(groups).toHaveLength(24)
})
