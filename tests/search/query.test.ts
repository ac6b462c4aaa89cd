import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseQuery, quoteWords } from '../../src-main/search/query.ts'
import type { ParsedQuery, QueryNode, Term } from '../../src-main/search/query-nodes.ts'
import { runs } from '../support/runs.ts'

/** A query in one line: groups in brackets, phrases in quotes, excluded terms after a minus. */
function written({ all, excludedTerms, filters, excludedFilters, nodes, order }: ParsedQuery): string {
  const term = ({ text, phrase, prefix, column }: Term) =>
    `${column ? `${column}:` : ''}${phrase ? `"${text}"` : text}${prefix ? '*' : ''}`
  const tree = (node: QueryNode): string => {
    if ('term' in node) return term(node.term)
    if ('filter' in node) return JSON.stringify(node.filter)
    if ('not' in node) return `-${tree(node.not)}`
    return 'any' in node ? `(${node.any.map(tree).join('|')})` : `(${node.all.map(tree).join(' ')})`
  }
  return [
    ...all.map((group) => `[${group.map(term).join('|')}]`),
    ...excludedTerms.map((excluded) => `-${term(excluded)}`),
    ...filters.map((filter) => JSON.stringify(filter)),
    ...excludedFilters.map((filter) => `-${JSON.stringify(filter)}`),
    ...nodes.map(tree),
    ...(order ? [order] : [])
  ].join(' ')
}

/** When a day, a month or a year begins, by this machine's clock. */
function day(year: number, month = 1, date = 1): number {
  return new Date(year, month - 1, date).getTime()
}

test.for([
  ['rust async', '[rust] [async]'],
  ['  rust \n\t async ', '[rust] [async]'],
  ['"borrow checker" rust', '["borrow checker"] [rust]'],
  ['rust -video', '[rust] -video'],
  ['rust -"for beginners"', '[rust] -"for beginners"'],
  ['rust OR zig', '[rust|zig]'],
  ['rust OR zig OR "c lang" fast', '[rust|zig|"c lang"] [fast]'],
  ['rust or zig', '[rust] [or] [zig]'],
  ['"OR"', '["OR"]'],
  ['OR rust', '[rust]'],
  ['rust OR', '[rust]'],
  ['rust OR OR zig', '[rust|zig]'],
  ['rust OR -zig', '(rust|-zig)'],
  ['-rust', '-rust'],
  ['well-known', '[well-known]'],
  ['e-mail -well-known', '[e-mail] -well-known'],
  ['"unclosed quote', '["unclosed quote"]'],
  ['rust "unclosed quote', '[rust] ["unclosed quote"]'],
  ['rust -"unclosed quote', '[rust] -"unclosed quote"'],
  ['5"disk', '[5] [disk]'],
  ['c++ c# .net', '[c++] [c#] [.net]'],
  ['title:rust NEAR(a b, 5) a*', '[title:rust] [a] [b] [a]'],
  ['a* bb* c* eee* ff*', '[a] [bb] [c] [eee*] [ff]'],
  ['bb* eee*', '[bb*] [eee*]'],
  ['a*', '[a*]'],
  ['in:title rust async', '[title:rust] [title:async]'],
  ['title:"borrow checker" x', '[title:"borrow checker"] [x]'],
  ['tag:Rust -tag:"to read" async', '[async] {"tags":["Rust"]} -{"tags":["to read"]}'],
  ['site:github.com domain:gitlab.com', '{"domain":"github.com"} {"domain":"gitlab.com"}'],
  ['-site:github.com type:image TYPE:Links', '{"type":"image"} {"type":"link"} -{"domain":"github.com"}'],
  ['before:2026-02 after:2025', `{"before":${day(2026, 2)}} {"after":${day(2025)}}`],
  ['before:2024-02-29 after:2024-02-29T10:30Z', `{"before":${day(2024, 2, 29)}} {"after":1709202600000}`],
  ['after:2024-02-29T10:30:59.123Z', '{"after":1709202600000}'],
  ['is:untagged -is:untagged', '{"untagged":true} -{"untagged":true}'],
  ['rust AND async NOT video', '[rust] [async] -video'],
  ['WAR AND PEACE', '[WAR] [AND] [PEACE]'],
  ['https://a.example/x', '[https://a.example/x]'],
  ['std::vector c:', '[std::vector] [c:]'],
  ['"tag:rust"', '["tag:rust"]'],
  ['rust IS:Moved', '[rust] {"is":["moved"]}'],
  ['is:broken OR is:moved', '{"is":["broken","moved"]}'],
  ['is:broken is:moved', '{"is":["broken"]} {"is":["moved"]}'],
  ['is:broken OR rust OR go', '({"is":["broken"]}|rust|go)'],
  ['rust OR is:broken', '(rust|{"is":["broken"]})'],
  ['(rust OR go) tutorial', '[rust|go] [tutorial]'],
  ['(rust tutorial) OR go', '((rust tutorial)|go)'],
  ['(tag:a OR tag:b) -site:x.com (c)', '[c] {"anyTag":["a","b"]} -{"domain":"x.com"}'],
  ['rust OR tag:go', '(rust|{"tags":["go"]})'],
  ['tag:go OR -tag:zig', '({"tags":["go"]}|-{"tags":["zig"]})'],
  ['-(rust OR tag:a) x', '[x] -rust -{"tags":["a"]}'],
  ['-(rust tag:a)', '-(rust {"tags":["a"]})'],
  ['-(-rust)', '[rust]'],
  ['NOT (rust OR go) Or', '[Or] -rust -go'],
  ['(a OR (b (c OR tag:d)))', '(a|(b (c|{"tags":["d"]})))'],
  ['(tag:"to read" OR "a phrase")', '({"tags":["to read"]}|"a phrase")'],
  ['(f(x) OR y)', '[f(x)|y]'],
  ['a OR (b OR c) OR tag:d', '(a|b|c|{"tags":["d"]})'],
  ['f(x) y) :) (', '[f(x)] [y)]'],
  ['() (()) a', '[a]'],
  ['rust -is:broken', '[rust] -{"is":["broken"]}'],
  ['日本 語', '[日本] [語]'],
  ['“borrow checker” rust', '["borrow checker"] [rust]'],
  ['rust || go && zig', '[rust|go] [zig]'],
  ['rust|go|zig fast', '[rust|go|zig] [fast]'],
  ['+rust^2 go~1 *async*', '[rust] [go] [async*]'],
  ['{"query": "rust http", "tags": ["web", "a b"], "limit": 5}', '[rust] [http] {"tags":["web"]} {"tags":["a b"]}'],
  ['["rust", "http"]', '[rust] [http]'],
  ['bookmarks.search("rust http")', '[rust] [http]'],
  ['search({query: "rust"})', '[rust]'],
  ['query=rust http', '[rust] [http]'],
  ['search for: rust', '[rust]'],
  ['tags:a,b c', '[c] {"tags":["a"]} {"tags":["b"]}'],
  ['tags:[a, b]', '{"tags":["a"]} {"tags":["b"]}'],
  ['tag:(a OR b)', '{"anyTag":["a","b"]}'],
  ['Tags:(a, b)', '{"tags":["a"]} {"tags":["b"]}'],
  ['#rust #123 #ff8800', '[tags:rust] [#123] [#ff8800]'],
  ['site:github site:x.*', '{"siteName":"github"} {"siteName":"x"}'],
  ['site:a.com,b.com', '({"domain":"a.com"}|{"domain":"b.com"})'],
  ['site:(a.com OR b.com)', '({"domain":"a.com"}|{"domain":"b.com"})'],
  ['site:https://github.com/owner/repo/', '[address:"github.com/owner/repo"] {"domain":"github.com"}'],
  ['since:2024/05/01 until:2024-05', `{"after":${day(2024, 5)}} {"before":${day(2024, 6)}}`],
  ['year:2024', `{"after":${day(2024)}} {"before":${day(2025)}}`],
  ['on:2024-05..2024-06', `{"after":${day(2024, 5)}} {"before":${day(2024, 7)}}`],
  ['created:>2024 date:<2024', `{"after":${day(2024)}} {"before":${day(2024)}}`],
  ['2024/05/01..2024/06/01', `{"after":${day(2024, 5)}} {"before":${day(2024, 6, 2)}}`],
  ['is:unread visibility:public', '{"tags":["unread"]} {"visibility":"public"}'],
  ['rust order:oldest', '[rust] oldest'],
  ['tag:#rust', '{"tags":["rust"]}'],
  ['tag:#️⃣', '{"tags":["#️⃣"]}'],
  ['nul\0l', '[nul l]'],
  ['half \ud83d', '[half]'],
  ['', ''],
  ['  ', ''],
  ['- -- """" ""', ''],
  ['!!! ??? …', '']
])('%j is parsed as %j', ([text = '', query]) => {
  expect(written(parseQuery(text))).toBe(query)
})

test.for(['Asia/Tokyo', 'America/New_York', 'UTC'])('days begin at midnight in %s, also in brackets', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(written(parseQuery('(after:2026-01-31 OR x)'))).toBe(`({"after":${day(2026, 1, 31)}}|x)`)
  expect(parseQuery('until:2026-01-31').filters).toEqual([{ before: day(2026, 2, 1) }])
})

test('a query has at most 32 terms', () => {
  const words = Array.from({ length: 50 }, (_, index) => `${index % 2 ? '-' : ''}word${index}`)
  const { all, excludedTerms } = parseQuery(words.join(' '))
  expect(all.flat().length + excludedTerms.length).toBe(32)
  expect(excludedTerms.at(-1)?.text).toBe('word31')
})

/** Any UTF-16, with many characters that mean something to the query language and FTS5. */
const anything = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('"', '-', ' ', ' OR ', 'word', '*', '(', ')', ':', '^', '+', '{', '}', '\0', '\ud800', '\ue000')
    ),
    { maxLength: 80, size: 'max' }
  )
  .map((parts) => parts.join(''))

test('terms of any text have a letter, a digit or an emoji, and no quotes or control characters', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const { all, excludedTerms } = parseQuery(text)
      const terms = [...all.flat(), ...excludedTerms]
      expect(terms.length).toBeLessThanOrEqual(32)
      expect(all.every((group) => group.length > 0)).toBe(true)
      for (const term of terms) {
        expect(term.text).toMatch(/[\p{L}\p{N}\p{Co}\p{Emoji}\p{Extended_Pictographic}]/u)
        expect(term.text).not.toMatch(/["\p{Cc}\p{Cs}]/u)
        expect(term.text).toBe(term.text.trim())
      }
    }),
    { numRuns: 1000 }
  )
})

test.for(['(', '-(', '(a ', ')', '))))))x', '"', '-"', 'a"', '" ', '-', 'OR ', 'a '])(
  'a million characters of %j are parsed',
  (piece) => {
    const { all, excludedTerms } = parseQuery(piece.repeat(1_000_000 / piece.length))
    expect(all.flat().length + excludedTerms.length).toBeLessThanOrEqual(32)
  }
)

test.for([
  ['type:video cats', 'There is no type “video”; it was left out. Types: link, image', '[type:video] [cats]'],
  ['is:new', '“is:new” is not known and was left out. Known: is:broken, is:moved, is:untagged', '[is:new]'],
  ['before:yesterday', '“before:yesterday” is not a date', '[before:yesterday]'],
  ['before:2026-13', 'is not a date', '[before:2026-13]'],
  ['before:2026-01-01T00:00', 'is not a date', '[before:2026-01-01T00:00]'],
  ['after:2026-02-31', 'is not a date', '[after:2026-02-31]'],
  ['inurl:docs', '“inurl:” is not a filter', '[inurl:docs]'],
  ['(a OR b OR c OR d OR e OR before:2020) x', 'At most 4 words can stand in brackets with before:', '[x]'],
  [
    '(a OR b OR c OR before:2020) (d OR e OR is:untagged)',
    'the others were left out',
    `(a|b|c|{"before":${day(2020)}})`
  ],
  [
    '(tag:go OR site:a.b',
    'A closing bracket is missing after “(tag:go OR site:a.b”',
    '({"tags":["go"]}|{"domain":"a.b"})'
  ]
])('%j reports what was not understood', ([text = '', misread, query]) => {
  const parsed = parseQuery(text)
  expect([...parsed.misread, ...parsed.invalidFilters.map(({ sentence }) => sentence)].join(' ')).toContain(misread)
  expect(written(parsed)).toBe(query)
})

test.for([
  ['type:video cats', '[cats]'],
  ['after:lunch rust', '[lunch] [rust]'],
  ['node:fs', '[fs]'],
  ['tga:rust http', '[http] {"tags":["rust"]}'],
  ['tag=rust http', '[http] {"tags":["rust"]}'],
  ['?tag=rust http', '[?tag=rust] [http]'],
  ['label:rust category:"web tools"', '[tags:rust] [tags:"web tools"]'],
  ['labels:[a, b] Label:c,d', '[tags:a] [tags:b] [tags:c] [tags:d]'],
  ['host:github.com owner:vuejs', '[vuejs] {"domain":"github.com"}'],
  ['description:fast body:"two words"', '[fast] [two] [words]'],
  ['limit:5 lang:en sort:relevance rust', '[rust]'],
  ['#rust', '[rust]']
])('%j, of which nothing has the words as typed, is read as %j', ([text = '', query]) => {
  const parsed = parseQuery(text, true)
  expect(written(parsed)).toBe(query)
  expect(parsed.invalidFilters).toEqual([])
})

test.for([
  ['best rust articles', '"best" "rust" "articles"'],
  ['rust "borrow checker" -video tag:x', '"rust" "borrow checker" -video tag:x'],
  ['c++ (a) 日本語', '"c++" ("a") "日本語"'],
  ['(a OR b) f(x) (tag:a OR c)', '("a" OR "b") "f(x)" (tag:a OR "c")'],
  ['"learn rust fast" rust', '"learn rust fast" "rust"'],
  ['title:rust async*', 'title:"rust" async*'],
  ['localhost:3000 (node:fs)', '"localhost:3000" ("node:fs")'],
  ['24" monitor', '"24" "monitor"'],
  ['5"disk', '"5" "disk"']
])('%j is quoted as %j', ([words = '', quoted]) => {
  expect(quoteWords(words)).toBe(quoted)
  expect(quoteWords(quoteWords(words))).toBe(quoted)
})

test('quoting keeps the words and filters of any text', () => {
  const part = fc.oneof(
    fc.constantFrom('"', '-', ' ', ' OR ', ' NOT ', '(', ')', ':', '*', '/'),
    fc.constantFrom('tag:"x y"', ...'word node:fs 日本 tag:x site:a.b title: before:2020 https://a.b/x'.split(' '))
  )
  const termsOf = (text: string) => written(parseQuery(text)).match(/[\p{L}\p{N}]+/gu)
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30, size: 'max' }), (parts) => {
      const text = parts.join('')
      expect(termsOf(quoteWords(text))).toEqual(termsOf(text))
    }),
    { numRuns: runs(500, 50_000) }
  )
})

test('a repeated filter counts once, and a query has at most 32 filters', () => {
  expect(parseQuery('type:text '.repeat(90)).filters).toEqual([{ type: 'text' }])
  expect(parseQuery(Array.from({ length: 90 }, (_, index) => `before:${1900 + index}`).join(' ')).filters).toHaveLength(
    32
  )
})

test('phrases are parsed up to 128 words in total', () => {
  const phrase = (index: number) => `"${Array.from({ length: 30 }, (_, word) => `w${index}x${word}`).join(' ')}"`
  const text = Array.from({ length: 16 }, (_, index) => phrase(index)).join(' ')
  expect(parseQuery(text).all).toHaveLength(4)
  const question = Array.from({ length: 32 }, (_, index) => `word${index}`).join(' ')
  expect(parseQuery(question).all).toHaveLength(32)
})
