import { expect, test } from 'vitest'
import { pickLanguage } from '../../src-main/contract/languages.ts'

test.for([
  [['de-AT', 'en'], 'de'],
  [['nl', 'fr-CA', 'en'], 'fr'],
  [['pt-PT'], 'pt-BR'],
  [['zh-SG'], 'zh-CN'],
  [['zh-TW', 'ja'], 'ja'],
  [['zh-Hant'], 'en'],
  [['*', '', 'not a language'], 'en'],
  [[], 'en']
] as const)('%o gets %s', ([preferred, language]) => {
  expect(pickLanguage(preferred)).toBe(language)
})
