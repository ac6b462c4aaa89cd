import { expect, test } from 'vitest'
import { findInTexts, MOST_MATCHES } from '../../../../src-renderer/features/bookmarks/reader/find-in-texts.ts'

/** What was found, with the text each match begins and ends in. */
function found(texts: string[], wanted: string) {
  return findInTexts(texts, wanted).map(({ from, to }) =>
    from.text === to.text
      ? texts[from.text]?.slice(from.at, to.at)
      : `${texts[from.text]?.slice(from.at)}|${texts[to.text]?.slice(0, to.at)}`
  )
}

test('matches are found whatever their case and accents, and never overlap', () => {
  expect(found(['Élan, elan and ÉLAN', 'aaaa'], 'elan')).toEqual(['Élan', 'elan', 'ÉLAN'])
  expect(found(['aaaa'], 'aa')).toEqual(['aa', 'aa'])
  expect(found(['İstanbul ıs here'], 'istanbul')).toEqual(['İstanbul'])
  expect(found(['東京と京都', '서울'], '京')).toEqual(['京', '京'])
  expect(found(['서울 서'], '서')).toEqual(['서', '서'])
  expect(found(['שָׁלוֹם שלום'], 'שלום')).toEqual(['שלום'])
})

test('a match may begin in one text and end in a later one', () => {
  expect(found(['The pati', 'ent', ' gardener counts'], 'patient gard')).toEqual(['pati| gard'])
  expect(found(['one\ntwo'], 'one two')).toEqual(['one\ntwo'])
})

test('nothing is found for nothing, or where there is nothing', () => {
  expect(found(['text'], ' ')).toEqual([])
  expect(found([], 'text')).toEqual([])
  expect(found(['text'], 'texts')).toEqual([])
})

test('more than can be shown are not looked for', () => {
  expect(findInTexts(['a'.repeat(5000)], 'a')).toHaveLength(MOST_MATCHES)
})
