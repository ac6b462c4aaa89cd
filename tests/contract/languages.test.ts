import { expect, test } from 'vitest'
import { pickLanguage } from '../../src-main/contract/languages.ts'

test.for([
  [['de-AT', 'en'], 'de'],
  [['nl', 'ja-JP', 'en'], 'ja'],
  [['*', '', 'not a language'], 'en'],
  [[], 'en']
] as const)('%o gets %s', ([preferred, language]) => {
  expect(pickLanguage(preferred)).toBe(language)
})
