import { expect, test } from 'vitest'
import { parseQuery } from '../../src-main/search/query.ts'
import { readRelativeDates, readTimePhrase } from '../../src-main/search/time-phrase.ts'

/** A Tuesday, at noon local time. */
const NOW = new Date(2026, 10, 24, 12).getTime()

/** The period that was read, as its first and last day, and the remaining words. */
function read(text: string): string | undefined {
  const phrase = readTimePhrase(text, NOW)
  if (!phrase) return undefined
  const days = /^(?:on |from |since )(\S+)(?: to (\S+))?$/.exec(phrase.span)
  return [days?.[1], days?.[2], phrase.rest].filter(Boolean).join(' ')
}

test.each([
  ['2026-11-24', 'today heute hoy 今日 今天 aujourd’hui'],
  ['2026-11-23', 'yesterday gestern hier ayer 昨日 昨天'],
  ['2026-11-22', 'vorgestern avant-hier anteayer 一昨日 前天'],
  ['2026-11-21', '3_days_ago vor_3_Tagen il_y_a_3_jours hace_3_días 3日前 3天前'],
  ['2026-11-23 2026-11-29', 'this_week diese_Woche cette_semaine esta_semana 今週 本周'],
  ['2026-11-16 2026-11-22', 'last_week letzte_Woche la_semaine_dernière la_semana_pasada 先週 上周 上週'],
  ['2026-10-01 2026-10-31', 'last_month letzten_Monat letzter_Monat le_mois_dernier el_mes_pasado 先月 上个月 上個月'],
  ['2026-01-01 2026-12-31', 'this_year dieses_Jahr cette_année este_año 今年 in_2026 im_Jahr_2026 en_2026 2026年'],
  ['2025-01-01 2025-12-31', 'last_year letztes_Jahr l’année_dernière el_año_pasado 昨年 去年'],
  ['2026-06-01 2026-08-31', 'June_to_August Juni_bis_August juin_à_août junio_a_agosto 6月から8月 六月到八月'],
  ['2026-06-01 2026-06-30', 'in_June im_Juni en_juin en_junio 6月 六月'],
  ['2025-12-01 2025-12-31', 'in_december December_2025 Dezember_2025 2025年12月 十二月'],
  ['2026-11-18 2026-11-24', 'the_last_7_days past_7_days'],
  [
    '2024-01-01 2024-12-31',
    'two_years_ago vor_zwei_Jahren il_y_a_deux_ans hace_dos_años há_dois_anos from_2024 em_2024'
  ],
  [
    '2024-09-01 2024-09-30',
    'Sep_2024 septiembre_de_2024 setembro_de_2024 Sept_2024 September_2024 in_September_of_2024'
  ],
  ['2026-05-01 2026-05-31', 'from_May em_maio de_mayo'],
  ['2026-10-01 2026-10-31', 'mês_passado o_mês_passado']
])('%s is read from each of: %s', (expected, texts) => {
  for (const text of texts.split(' ')) expect(read(text.replaceAll('_', ' ')), text).toBe(expected)
})

test.each([
  ['saved yesterday', '2026-11-23'],
  ['what did I save last month about rust', '2026-10-01 2026-10-31 rust'],
  ['rust articles from last month', '2026-10-01 2026-10-31 rust'],
  ['ich habe gestern gespeichert', '2026-11-23'],
  ['recettes de la semaine dernière', '2026-11-16 2026-11-22 recettes'],
  ['between November and February css', '2025-11-01 2026-02-28 css'],
  ['since last month css', '2026-10-01 css'],
  ['昨日保存した記事', '2026-11-23'],
  ['上周保存的 Rust', '2026-11-16 2026-11-22 Rust'],
  ['ai last month', '2026-10-01 2026-10-31 ai'],
  ['go in 2025', '2025-01-01 2025-12-31 go'],
  ['email from last week', '2026-11-16 2026-11-22 email'],
  ['mac design in October', '2026-10-01 2026-10-31 mac design'],
  ['Artikel über Design vom letzten Monat', '2026-10-01 2026-10-31 Artikel über Design']
])('in %j the period %j is read', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  'may the force be with you',
  'march madness',
  'python 3.11',
  'the yesterday project',
  '"last month"',
  'tutorial "of last month"',
  'yesterday OR today',
  'before last year',
  'in 1850',
  'in 2030',
  'in 13月',
  '今日头条',
  '以前天气',
  'hierarchy',
  ''
])('no period is read from %j', (text) => {
  expect(read(text)).toBeUndefined()
})

test('a period starts at local midnight', () => {
  const start = new Date(2026, 10, 24)
  const [after = ''] = readTimePhrase('today', NOW)?.words.split(' ') ?? []
  expect(parseQuery(after).filters).toEqual([{ after: start.getTime() }])
})

test.each([
  ['rust last:7d', 'rust after:2026-11-18'],
  ['newer:2w -last:3m', 'after:2026-11-11 -after:2026-08-24'],
  ['after:yesterday', 'after:2026-11-23'],
  ['until:"last week"', 'before:2026-11-23'],
  ['on:last-month x', '(after:2026-10-01 before:2026-11-01) x'],
  ['"last:7d" blast:7d last:x', '"last:7d" blast:7d last:x']
])('%j is written with dates as %j', (text, expected) => {
  expect(readRelativeDates(text, NOW)).toBe(expected)
})
