import { expect, test } from 'vitest'
import { PAGE_START } from '../../src-main/contract/page-details.ts'
import { findPassages, wordsIn } from '../../src-main/core/passages.ts'

test.for([
  ['two words', ['two', 'words']],
  ['"a phrase" word', ['a phrase', 'word']],
  ['word -other -"not this"', ['word']],
  ['" ( -', []]
] as const)('the words of %j are %j', ([query, words]) => {
  expect(wordsIn(query)).toEqual(words)
})

const FILL = 'lorem ipsum dolor '.repeat(60)

test('a passage surrounds its word and is cut between words', () => {
  const [passage, ...more] = findPassages(`${FILL}the Gentian is blue ${FILL}`, ['gentian'])
  expect(more).toEqual([])
  expect(passage).toMatch(/^…\w+ .*the Gentian is blue.* \w+…$/)
  expect(passage?.length).toBeLessThan(450)
})

test('near words share a passage, and distant words do not', () => {
  const text = `alpha beta ${FILL}alpha ${FILL}beta`
  expect(findPassages(text, ['alpha', 'beta'])).toHaveLength(3)
})

test('a phrase matches across a line break, and special characters match as they are', () => {
  expect(findPassages('the tree\nline ends (here)', ['tree line', '(here)'])).toEqual(['the tree\nline ends (here)'])
  expect(findPassages('anything', ['.*'])).toEqual([])
})

test('passages of a frequent word do not repeat the text', () => {
  const text = 'word '.repeat(20_000)
  const all = findPassages(text, ['word'])
  expect(Math.max(...all.map((piece) => piece.length))).toBeLessThan(1300)
  expect(all.join('').length).toBeLessThan(text.length * 1.1)
})

test('a passage of a document starts with the page of its word', () => {
  const text = ['alpha beta', `gamma ${FILL}`, '', 'delta beta'].join(PAGE_START)
  expect(findPassages(text, ['alpha'])[0]).toMatch(/^Page 1: alpha beta/)
  expect(findPassages(text, ['gamma'])[0]).toMatch(/^Page 2: alpha beta\fgamma/)
  expect(findPassages(text, ['delta'])[0]).toMatch(/^Page 4: ….*\f\fdelta beta$/s)
})
