/** Searches of random libraries, compared with a scan of every bookmark: bookmarks with all words come first. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOKMARK_TYPES, type BookmarkQuery, type BookmarkType } from '../../../src-main/contract/bookmark.ts'
import { type Caller, PROFILE } from '../../../src-main/contract/caller.ts'
import { MIN_RESULTS } from '../../../src-main/search/sql/search.ts'
import { emptyLibrary, hasTag, link, note, PRIVATE, PUBLIC, type TestLibrary, within } from '../../store/library.ts'
import { runs } from '../../support/runs.ts'

// No word is a part of another or similar to one, so that no search replaces a word.
const LATIN = ['rust', 'milk', 'Café', 'zebra', 'go']
const CJK = ['日本語', '検索', '全文検索', '한국어', '中文']
const TAGS = ['Work', 'work/Client', 'work/client/x', 'workshop', 'ärzte', '読書']
const ASKED_TAGS = ['work', 'WORK/', '=Work', 'work/client', 'ÄRZTE', '読書', 'none', 'none/', '=none']
const SITES = ['a.example', 'docs.a.example', 'b.test']

interface Saved {
  title: string
  description: string
  content: string
  tags: string[]
  site: string | null
  type: BookmarkType
  visibility: 'private' | 'public' | 'organization'
  owner: number | null
}

const texts = fc.array(fc.constantFrom(...LATIN, ...CJK), { maxLength: 4 }).map((words) => words.join(' '))

const saved = fc.record({
  title: texts,
  description: texts,
  content: texts,
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  site: fc.constantFrom(...SITES, null),
  type: fc.constantFrom(...BOOKMARK_TYPES),
  place: fc.nat({ max: 3 })
})

const word = fc.oneof(
  fc.constantFrom(...LATIN, 'CAFE', 'xylophon'),
  fc.constantFrom('日本', '本語', '日', '検索', '文検', '국어', '中文', '本日')
)
const query = fc.record({
  all: fc.array(word, { minLength: 0, maxLength: 2 }),
  none: fc.option(word, { nil: undefined }),
  tags: fc.option(fc.uniqueArray(fc.constantFrom(...ASKED_TAGS), { minLength: 1, maxLength: 2 }), {
    nil: undefined
  }),
  domain: fc.option(fc.constantFrom('a.example', 'www.a.example', 'docs.a.example', 'example'), { nil: undefined }),
  type: fc.option(fc.constantFrom(...BOOKMARK_TYPES), { nil: undefined }),
  visibility: fc.option(fc.constantFrom('private' as const, 'public' as const, 'organization' as const), {
    nil: undefined
  }),
  caller: fc.nat({ max: 2 })
})

const LIBRARIES = runs(8, 250)
const SEARCHES = 40

test(`${LIBRARIES * SEARCHES} random searches find what a scan finds, page by page, before relaxed matches`, {
  timeout: 300_000
}, () => {
  fc.assert(
    fc.property(
      fc.array(saved, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.array(query, { minLength: SEARCHES, maxLength: SEARCHES }),
      (rows, queries) => {
        const library = emptyLibrary()
        const owners = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
        const shelf = rows.map((row, index) => save(library, row, index, owners))
        const callers: Caller[] = [PROFILE, ...owners.map((owner) => ({ owner, readOnly: false }))]
        for (const { all, none, caller: which, ...filters } of queries) {
          const caller = callers[which] ?? PROFILE
          const words = [...all, ...(none === undefined ? [] : [`-${none}`])].join(' ')
          const expected = shelf
            .filter(
              ({ row }) => visible(row, caller) && passes(row, filters) && all.every((typed) => holds(row, typed))
            )
            .filter(({ row }) => none === undefined || !holds(row, none))
            .map(({ id }) => id)
          const found = everyPage(library, caller, { ...definedOnly(filters), ...(words !== '' && { words }) })
          const isRelaxed = all.length > 0 && expected.length < MIN_RESULTS
          expect(found.slice(0, expected.length).toSorted()).toEqual(expected.toSorted())
          if (!isRelaxed) expect(found).toHaveLength(expected.length)
          const allowed = shelf.filter(({ row }) => visible(row, caller) && passes(row, filters))
          const candidates = allowed.filter(({ row }) => none === undefined || !holds(row, none)).map(({ id }) => id)
          expect(candidates).toEqual(expect.arrayContaining(found))
        }
      }
    ),
    { numRuns: LIBRARIES }
  )
})

function save(
  library: TestLibrary,
  { place, site, ...rest }: typeof saved extends fc.Arbitrary<infer T> ? T : never,
  index: number,
  owners: number[]
) {
  const placement = [PRIVATE, PUBLIC, within(owners[0] ?? 0), within(owners[1] ?? 0)][place] ?? PRIVATE
  const draft = site === null ? note(rest) : link(`https://${site}/${index}`, rest)
  const [result] = library.saveBookmarks(placement, [draft])
  const row: Saved = { ...rest, site, visibility: placement.visibility, owner: placement.owner }
  return { id: result?.id ?? '', row }
}

function everyPage(library: TestLibrary, caller: Caller, filters: Partial<BookmarkQuery>): string[] {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let page = 1; ; page++) {
    const { total, bookmarks } = library.searchBookmarks(caller, { ...filters, page, limit: 7 })
    ids.push(...bookmarks.map(({ id }) => id))
    totals.add(total)
    if (bookmarks.length < 7) {
      expect(new Set(ids).size).toBe(ids.length)
      expect([...totals]).toEqual([ids.length])
      return ids
    }
  }
}

function visible(row: Saved, caller: Caller): boolean {
  return caller.owner === null || row.owner === caller.owner || row.visibility === 'public'
}

function passes(
  row: Saved,
  { tags, domain, type, visibility }: { [K in 'tags' | 'domain' | 'type' | 'visibility']?: unknown }
): boolean {
  const site = String(domain ?? '').replace(/^www\./, '')
  return (
    (tags === undefined || (tags as string[]).every((tag) => hasTag(row.tags, tag))) &&
    (domain === undefined || row.site === site || row.site?.endsWith(`.${site}`) === true) &&
    (type === undefined || row.type === type) &&
    (visibility === undefined || row.visibility === visibility)
  )
}

/** Latin words match as a whole, without accents; characters of an unspaced run match anywhere in it. */
function holds(row: Saved, typed: string): boolean {
  const fold = (text: string) =>
    text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .normalize('NFC')
  const words = [row.title, row.description, row.content, ...row.tags, row.site ?? ''].flatMap((text) =>
    text.split(/[\s./]+/)
  )
  return words.some((word) => (/^[a-z]/i.test(typed) ? fold(word) === fold(typed) : fold(word).includes(fold(typed))))
}

function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never
}
