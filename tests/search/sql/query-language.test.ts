import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { parseQuery } from '../../../src-main/search/query.ts'
import { emptyLibrary, hasTag, link, PRIVATE, PUBLIC, type TestLibrary, within } from '../../store/library.ts'
import { runs } from '../../support/runs.ts'

const WORDS = ['heron', 'egret', 'stork']
const TAGS = ['lake', 'lake/north', 'sea', 'archived']
const SITES = ['a.example', 'docs.a.example', 'b.test']

interface Page {
  words: string[]
  tags: string[]
  site: string
  year: number
  visible: boolean
}

type Query = string | { all: Query[] } | { any: Query[] } | { not: Query }

const LEAVES: Record<string, (page: Page) => boolean> = {
  ...Object.fromEntries(WORDS.map((word) => [word, (page: Page) => page.words.includes(word)])),
  '"heron egret"': ({ words }) => words.join(' ').includes('heron egret'),
  'eg*': ({ words }) => words.includes('egret'),
  ...Object.fromEntries(
    ['lake', 'lake/', '=lake', 'SEA', 'none'].map((tag) => [`tag:"${tag}"`, ({ tags }: Page) => hasTag(tags, tag)])
  ),
  'site:a.example': ({ site }) => site.endsWith('a.example'),
  'before:2020': ({ year }) => year < 2020,
  'after:2021': ({ year }) => year >= 2021,
  'type:image': () => false,
  'is:untagged': ({ tags }) => tags.every(isState),
  'is:broken': () => false
}

const query = fc.letrec<{ node: Query }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'max' },
    fc.constantFrom(...Object.keys(LEAVES)),
    fc.record({ all: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ not: tie('node') })
  )
})).node

function written(node: Query): string {
  if (typeof node === 'string') return node
  if ('not' in node) return `-${bracketed(node.not)}`
  return 'all' in node ? node.all.map(bracketed).join(' ') : node.any.map(bracketed).join(' OR ')
}

function bracketed(node: Query): string {
  return typeof node === 'string' ? node : `(${written(node)})`
}

function holds(node: Query, page: Page): boolean {
  if (typeof node === 'string') return LEAVES[node]?.(page) === true
  if ('not' in node) return !holds(node.not, page)
  return 'all' in node ? node.all.every((part) => holds(part, page)) : node.any.some((part) => holds(part, page))
}

/** Addresses in an export by words, which does not relax them. */
function exported(library: TestLibrary, words: string): string[] {
  return library.readBookmarks(library.matchingIds({ words, trash: 'without' })).map(({ url }) => url ?? '')
}

/** An alternative of words and a filter, which a search does not relax. */
function alternative(words: string): string {
  return `(${words}) OR tag:nobody`
}

function searched(library: TestLibrary, words: string, owner: number | null): string[] {
  const asked = { words: alternative(words), page: 1, limit: 100 }
  return library.searchBookmarks({ ...PROFILE, owner }, asked).bookmarks.map(({ url }) => url ?? '')
}

const page = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 3 }),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  site: fc.constantFrom(...SITES),
  year: fc.integer({ min: 2018, max: 2023 }),
  visible: fc.boolean()
})

test('random queries with brackets, OR and exclusions find what a scan finds, for each caller', () => {
  fc.assert(
    fc.property(
      fc.array(page, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      (pages, queries) => {
        const library = emptyLibrary()
        const { rowId } = library.createOrganization('Acme', 1)
        const urls = pages.map(({ words, tags, site, year, visible }, at) => {
          const url = `https://${site}/${at}`
          const draft = link(url, { title: words.join(' '), tags, createdAt: Date.UTC(year, 5) })
          library.saveBookmarks(visible ? (at % 2 ? PUBLIC : within(rowId)) : PRIVATE, [draft])
          return url
        })
        for (const each of queries) {
          const words = written(each)
          // Too many words beside a date are left out, with a note.
          if (parseQuery(alternative(words)).misread.length > 0) continue
          const expected = (owner: number | null) =>
            urls.filter((_, at) => (owner === null || pages[at]?.visible) && holds(each, pages[at] as Page))
          expect([words, exported(library, words).sort()]).toEqual([words, expected(null).sort()])
          for (const owner of [null, rowId]) {
            expect([words, searched(library, words, owner).sort()]).toEqual([words, expected(owner).sort()])
          }
        }
      }
    ),
    { numRuns: runs(15, 400) }
  )
})
