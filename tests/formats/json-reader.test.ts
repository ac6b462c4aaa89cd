import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonReader } from '../../src-main/formats/json-reader.ts'
import { JsonBuilder } from '../../src-main/formats/json-records.ts'
import { heldMemory } from '../support/measure.ts'
import { runs } from '../support/runs.ts'

function parse(...pieces: string[]): unknown {
  const builder = new JsonBuilder()
  const reader = new JsonReader(builder)
  for (const piece of pieces) reader.write(piece)
  reader.end()
  return builder.root
}

test('any JSON is read as JSON.parse reads it, in any chunk sizes', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.constantFrom(undefined, 1, 3),
      fc.array(fc.nat({ max: 200 }), { maxLength: 6 }),
      (text, space, cuts) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space)
        const places = [0, ...cuts.filter((at) => at < spaced.length).sort((a, b) => a - b), spaced.length]
        const pieces = places.slice(1).map((to, index) => spaced.slice(places[index], to))
        expect(JSON.stringify(parse(...pieces))).toBe(JSON.stringify(JSON.parse(spaced)))
      }
    ),
    { numRuns: runs(500, 20_000) }
  )
})

test('text is refused exactly if JSON.parse refuses it', () => {
  const sign = fc.constantFrom('{', '}', '[', ']', ':', ',', '"a"', '1', '-', 'true', 'nul', ' ', '"\\u00e9"', '"\\x"')
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 8 }), (signs) => {
      const text = signs.join('')
      expect(attempt(() => parse(text))).toBe(attempt(() => JSON.parse(text)))
    }),
    { numRuns: runs(3000, 200_000) }
  )
})

function attempt(work: () => unknown): string {
  try {
    return JSON.stringify(work()) ?? ''
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused'
    throw error
  }
}

test('__proto__ is an ordinary member', () => {
  expect(JSON.stringify(parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
})

test('a long string is cut, never inside an escape', () => {
  for (const part of ['\\u00e9', '\\n', 'é', '\\\\', '\\"']) {
    const found = parse('["', ...Array.from({ length: 40 }, () => part.repeat(20_000)), '"]') as [string]
    expect(found[0]?.length).toBeLessThan(1_200_000)
    expect(new Set(found[0]).size).toBe(1)
  }
})

test('nesting takes one bit per level, and closing brackets are checked', () => {
  const reader = new JsonReader({ open() {}, value() {}, close() {} })
  const before = heldMemory()
  for (let times = 0; times < 500; times += 1) reader.write('[{"a":'.repeat(5000))
  expect(heldMemory() - before).toBeLessThan(5_000_000)
  expect(() => reader.write('1]')).toThrow(SyntaxError)
})

test('an endless number is refused', () => {
  const reader = new JsonReader({ open() {}, value() {}, close() {} })
  expect(() => {
    for (let times = 0; times < 100; times += 1) reader.write('1'.repeat(1000))
  }).toThrow(SyntaxError)
})
