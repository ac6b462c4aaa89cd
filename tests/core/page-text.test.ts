import { expect, test } from 'vitest'
import { readingMinutes } from '../../src-main/core/page-text.ts'

test.for([
  ['a few words', 'The heron stood.', 1],
  ['words', 'The heron stood – still. '.repeat(357), 6],
  ['Chinese', '果樹園の庭師は林檎を数える。'.repeat(192), 5],
  ['Korean', '정원사는 사과를 센다. '.repeat(167), 3],
  ['Thai', 'ฉันรักประเทศไทย '.repeat(238), 3],
  ['both', `${'heron '.repeat(476)}${'鷺'.repeat(1000)}`, 4]
] as const)('a text of %s has its reading time', ([, text, minutes]) => {
  expect(readingMinutes(text)).toBe(minutes)
})
