import { describe, expect, test } from 'vitest'
import { begunTag, offerTags, takeTag } from '../../../src-renderer/capture/offer-tags.ts'
import { readEntry } from '../../../src-renderer/capture/read-entry.ts'

const begun = (typed: string) => begunTag(typed, typed.length)

describe('a tag is begun', () => {
  test.each([
    ['https://a.example/ #', 18 + 1, ''],
    ['#re', 0, 're'],
    ['A note\n#re', 7, 're'],
    ['x #one #tw', 7, 'tw'],
    ['x #"read la', 2, 'read la']
  ])('in %j', (typed, start, text) => {
    expect(begun(typed)).toEqual({ start, end: typed.length, text })
  })

  test.each(['', 'https://a.example/', 'https://a.example/#part', 'x #one ', 'x #"read later"', 'C#'])(
    'nowhere in %j',
    (typed) => {
      expect(begun(typed)).toBeUndefined()
    }
  )

  test('not where the caret is within a word', () => {
    expect(begunTag('x #reading', 5)).toBeUndefined()
    expect(begunTag('x #re more', 5)).toMatchObject({ text: 're' })
  })
})

describe('offered are', () => {
  const tags = ['reading', 'rust', 'work/reports', 'Read later', 'prepare', 'odd"one'].map((name) => ({ name }))
  const offered = (typed: string, taken: string[] = []) =>
    offerTags(tags, begun(typed) ?? { start: 0, end: 0, text: '' }, taken).map(({ name }) => name)

  test('tags that begin so before those of which a part does, whatever their case', () => {
    expect(offered('#re')).toEqual(['reading', 'Read later', 'work/reports'])
    expect(offered('#LATER')).toEqual(['Read later'])
  })

  test('the most used ones where nothing is typed yet, four at most', () => {
    expect(offered('#')).toEqual(['reading', 'rust', 'work/reports', 'Read later'])
  })

  test('none that is there already, or typed whole, or that could not be typed', () => {
    expect(offered('#re', ['Reading', 'read later'])).toEqual(['work/reports'])
    expect(offered('#rust')).toEqual([])
    expect(offered('#odd')).toEqual([])
  })
})

test.each([
  ['x #re', 'reading', 'x #reading '],
  ['x #re', 'Read later', 'x #"Read later" '],
  ['x #"re', 'Read later', 'x #"Read later" '],
  ['#20', '2026', '#"2026" '],
  ['#be', 'beef', '#"beef" ']
])('taken in %j, %j makes it %j, and is read as that tag', (typed, tag, made) => {
  const taken = takeTag(typed, begunTag(typed, typed.length) ?? { start: 0, end: 0, text: '' }, tag)
  expect(taken).toEqual({ typed: made, caret: made.length })
  expect(readEntry(taken.typed).tags).toEqual([tag])
})

test('what stands behind the tag stays', () => {
  const tag = begunTag('x #re y', 5)
  expect(tag && takeTag('x #re y', tag, 'reading')).toEqual({ typed: 'x #reading y', caret: 11 })
})
