import { expect, test } from 'vitest'
import { createGroups } from '../../src-main/search/groups.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import { findStopCharacters, findStopWords } from '../../src-main/search/stop-words.ts'
import type { Alternative, Vocabulary, Wording } from '../../src-main/search/wordings.ts'

/** A vocabulary of bookmarks, each a list of words; the words of a phrase match in their order. */
function vocabularyOf(...texts: string[]): Vocabulary {
  const holds = (text: string, { tokens, prefix, apart }: Wording) =>
    apart
      ? tokens.every((token) => ` ${text} `.includes(` ${token} `))
      : ` ${text} `.includes(` ${tokens.join(' ')}${prefix ? '' : ' '}`)
  const words = new Set(texts.flatMap((text) => text.split(' ')))
  return {
    bookmarks: texts.length,
    countBookmarks: (wordings) => texts.filter((text) => wordings.some((wording) => holds(text, wording))).length,
    findKnown: (batch) => batch.filter((word) => words.has(word)),
    findCorrections: (word) => (word === 'rsut' ? ['rust'] : []),
    findBeginning: (part) => [...words].filter((word) => word.startsWith(part)),
    findContaining: (part) => [...words].filter((word) => word.includes(part))
  }
}

const LIBRARY = vocabularyOf('rust async book', 'textbook of crates', 'open sound control', 'node js', 'mpu6050 the')

/** The wordings of each word of a query. */
function wordingsOf(words: string, typing = false): Record<string, string[]> {
  const written = ({ tokens, prefix, apart }: Alternative) => `${tokens.join(apart ? ' & ' : ' ')}${prefix ? '*' : ''}`
  const groups = createGroups(parseQuery(words), LIBRARY, { typing })
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
  ['rust OR go', { rust: ['rust'], go: ['go'] }],
  ['rust "open sound" -book', { rust: ['rust'], 'open sound': ['open sound'] }],
  ['rust book Rust', { Rust: ['rust'], book: ['book', 'book*'] }],
  ['book js', { book: ['book'], js: ['js'] }]
] satisfies [string, Record<string, string[]>][])('%s is searched for as %j', ([words, groups]) => {
  expect(wordingsOf(words)).toEqual(groups)
})

test('a word that is being typed also matches as a beginning', () => {
  expect(wordingsOf('rust asyn', true).asyn).toContain('asyn*')
  expect(wordingsOf('rust book', true).book).toContain('book*')
})

test('a rare word weighs more than a frequent one, and a word without meaning almost nothing', () => {
  const library = vocabularyOf('rust book', 'rust', 'rust the', 'go the book')
  const [rust, book, the] = createGroups(parseQuery('rust book the'), library)
  expect(book?.weight).toBeGreaterThan(rust?.weight ?? 0)
  expect(the).toMatchObject({ isStopWord: true })
  expect(the?.weight).toBeLessThan((rust?.weight ?? 0) / 5)
})

test('a query of 31 words is limited to 30 groups', () => {
  const words = Array.from({ length: 31 }, (_, index) => `word${index}`)
  const groups = createGroups(parseQuery(words.join(' ')), vocabularyOf(words.join(' ')))
  expect(groups).toHaveLength(30)
})

test.for([
  ['the page about rust and docker', ['the', 'page', 'about', 'and']],
  ['wie installiere ich docker mit compose', ['wie', 'ich', 'mit']],
  ['page sur la securite des conteneurs', ['page', 'sur', 'la', 'des']],
  ['как настроить docker для сервера', ['как', 'для']],
  ['погода москва для книга', ['для']],
  ['время година екип живот', []],
  ['सबसे अच्छा घर', ['सबसे']],
  ['אני נגר', ['אני']],
  ['راه حق از', ['از']],
  ['mit license', []],
  ['docker man', []],
  ['es 6 structures', []]
] as const)('in “%s” these words carry no meaning: %j', ([question, empty]) => {
  expect([...findStopWords(question.split(' '))].toSorted()).toEqual([...empty].toSorted())
})

test.for([
  ['怎么用服务来做学习', '服务学习'],
  ['请问哪里可以找到组件', '组件'],
  ['プログラミングの入門を教えてください', 'プログラミング入門']
] as const)('in %s these characters carry meaning: %s', ([question, full]) => {
  const empty = findStopCharacters(question)
  expect([...question].filter((_, index) => !empty[index]).join('')).toBe(full)
})
