import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  counted,
  fileSize,
  inSystemRegion,
  list,
  locale,
  number,
  percent,
  plural
} from '../../../src-renderer/strings/format.ts'

const root = join(import.meta.dirname, '../../..')

test('texts keep their language and take numbers and dates from the system’s region', () => {
  expect(inSystemRegion('en', 'de')).toBe('en-DE')
  expect(inSystemRegion('en', 'pt-BR')).toBe('en-001')
  expect(locale).toBe(inSystemRegion('en', new Intl.DateTimeFormat().resolvedOptions().locale))
  const day = Date.UTC(2026, 10, 24)
  const dates = ['en-US', 'de', 'ar-EG'].map((system) =>
    new Intl.DateTimeFormat(inSystemRegion('en', system), { dateStyle: 'medium', timeZone: 'UTC' }).format(day)
  )
  expect(dates).toEqual(['Nov 24, 2026', '24 Nov 2026', '24 Nov 2026'])
  expect((1234.5).toLocaleString(inSystemRegion('en', 'de'))).toBe('1.234,5')
})

test('a count takes the form that the language has for it', () => {
  const forms = { one: 'tag', other: 'tags' }
  expect([0, 1, 2, 1234].map((count) => counted(count, forms))).toEqual([
    '0 tags',
    '1 tag',
    '2 tags',
    `${number(1234)} tags`
  ])
  expect(plural(1, { other: 'sheep' })).toBe('sheep')
})

test('sizes have two digits or more, and lists and shares are written as the region has them', () => {
  expect([812, 1340, 13_400, 134_000, 4_230_000, 42_300_000].map(fileSize)).toEqual([
    '812 B',
    `${(1.3).toLocaleString(locale)} kB`,
    '13 kB',
    '134 kB',
    `${(4.2).toLocaleString(locale)} MB`,
    '42 MB'
  ])
  expect(list.format(['a', 'b', 'c'])).toBe('a, b, c')
  expect(percent(0.42)).toMatch(/^42\s?%$/)
})

test('no other file of the dashboard fixes a language', () => {
  const sources = filesOf('src-renderer/**/*.{ts,tsx}').filter(([file]) => !file.endsWith(join('strings', 'format.ts')))
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(([, text]) => /['"]en(-\w+)?['"](?!\s*dir)|toLocale(Date|Time)?String/.test(text))).toEqual([])
})

test('style sheets name sides by the direction of writing', () => {
  const sheets = filesOf('src-{renderer,extension}/**/*.css')
  expect(sheets.length).toBeGreaterThan(30)
  const physical = /(margin|padding|border)-(left|right)|text-align: (left|right)|^\s*right:|^\s*left:(?! 50%)/m
  expect(sheets.flatMap(([file, text]) => physical.exec(text)?.[0].concat(` in ${file}`) ?? [])).toEqual([])
})

function filesOf(pattern: string): [file: string, text: string][] {
  return globSync(pattern, { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')])
}
