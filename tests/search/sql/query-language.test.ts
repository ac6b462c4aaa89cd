import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { isState } from '../../../src-main/contract/state-tags.ts'
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

type Said = string | { all: Said[] } | { any: Said[] } | { not: Said }

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

const said = fc.letrec<{ node: Said }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'max' },
    fc.constantFrom(...Object.keys(LEAVES)),
    fc.record({ all: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ not: tie('node') })
  )
})).node

function written(node: Said): string {
  if (typeof node === 'string') return node
  if ('not' in node) return `-${bracketed(node.not)}`
  return 'all' in node ? node.all.map(bracketed).join(' ') : node.any.map(bracketed).join(' OR ')
}

function bracketed(node: Said): string {
  return typeof node === 'string' ? node : `(${written(node)})`
}

function holds(node: Said, page: Page): boolean {
  if (typeof node === 'string') return LEAVES[node]?.(page) === true
  if ('not' in node) return !holds(node.not, page)
  return 'all' in node ? node.all.every((one) => holds(one, page)) : node.any.some((one) => holds(one, page))
}

/** What is found by these words as they are, without any guess. */
function exported(library: TestLibrary, words: string): string[] {
  return library.exportBookmarks({ words, trash: 'without', after: 0 }).bookmarks.map(({ url }) => url ?? '')
}

/** The same, in which nothing is a word by itself: then a search finds nothing near. */
function alternative(words: string): string {
  return `(${words}) OR tag:nobody`
}

function searched(library: TestLibrary, words: string, owner: number | null): string[] {
  const query = { words: alternative(words), page: 1, limit: 100 }
  return library.searchBookmarks({ ...PROFILE, owner }, query).bookmarks.map(({ url }) => url ?? '')
}

const page = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 3 }),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  site: fc.constantFrom(...SITES),
  year: fc.integer({ min: 2018, max: 2023 }),
  visible: fc.boolean()
})

test('words and filters in brackets, joined by OR and left out find what a scan finds, whoever asks', () => {
  fc.assert(
    fc.property(
      fc.array(page, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(said, { minLength: 8, maxLength: 8 }),
      (pages, all) => {
        const library = emptyLibrary()
        const { rowId } = library.createOrganization('Acme', 1)
        const urls = pages.map(({ words, tags, site, year, visible }, at) => {
          const url = `https://${site}/${at}`
          const draft = link(url, { title: words.join(' '), tags, createdAt: Date.UTC(year, 5) })
          library.saveBookmarks(visible ? (at % 2 ? PUBLIC : within(rowId)) : PRIVATE, [draft])
          return url
        })
        for (const one of all) {
          const words = written(one)
          // Too many words beside a date are left out, which is said.
          if (parseQuery(alternative(words)).misread.length > 0) continue
          const wanted = (owner: number | null) =>
            urls.filter((_, at) => (owner === null || pages[at]?.visible) && holds(one, pages[at] as Page))
          expect([words, exported(library, words).sort()]).toEqual([words, wanted(null).sort()])
          for (const owner of [null, rowId]) {
            expect([words, searched(library, words, owner).sort()]).toEqual([words, wanted(owner).sort()])
          }
        }
      }
    ),
    { numRuns: runs(15, 400) }
  )
})
