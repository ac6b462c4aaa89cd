import { expect, test } from 'vitest'
import { foldText } from '../../../src-renderer/shared/fold-text.ts'

test.for([
  ['CAFÉ Ünder', 'cafe under'],
  ['cafe\u0301', 'cafe\u0301'],
  ['İstanbul', 'istanbul'],
  ['ガ 한국', 'カ 한국'],
  ['a😀B', 'a😀b']
])('%s is compared as %s, as long as before', ([text = '', folded]) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(text)).toHaveLength(text.length)
})
