import { expect, test } from 'vitest'
import { foldName, matchNames } from '../../../src-renderer/shared/match-names.ts'

const tags = ['Trust', 'rust', 'go', 'RustConf'].map((name) => ({ name }))

test('names that begin with a text come before those that hold it, each in the order given', () => {
  expect(matchNames(tags, 'RUST').map(({ name }) => name)).toEqual(['rust', 'RustConf', 'Trust'])
  expect(matchNames(tags, '')).toEqual(tags)
})

test('letters of full width are the same letters', () => {
  expect(matchNames(tags, 'ｇｏ').map(({ name }) => name)).toEqual(['go'])
})

test('a name is the same in any case, and however its accents are encoded', () => {
  expect(foldName('CAFE\u0301')).toBe(foldName('caf\u00e9'))
  expect(foldName('cafe')).not.toBe(foldName('café'))
})
