import { expect, test } from 'vitest'
import { transliterated } from '../../src-main/search/transliterate.ts'

test.for([
  ['мавен', 'maven'],
  ['линукс', 'linux'],
  ['джава', 'java'],
  ['щука', 'shchuka'],
  ['київ', 'kiyiv'],
  ['vvedenie', 'введение'],
  ['borshch', 'борщ'],
  ['knizhka', 'книжка'],
  ['ядro', undefined],
  ['日本', undefined],
  ['café', undefined],
  ['web2', undefined]
] as const)('%s in other letters is %s', ([word, reading]) => {
  expect(transliterated(word)).toBe(reading)
})
