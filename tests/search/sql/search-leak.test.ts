/** The answers to an organization's key never depend on bookmarks that it cannot see. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkDraft, BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { HighlightRequest } from '../../../src-main/contract/highlight.ts'
import { emptyLibrary, link, PRIVATE, PUBLIC, within } from '../../store/library.ts'
import { runs } from '../../support/runs.ts'

/** Many words are a form, a part or a typo of another, so that each replacement has several candidates. */
const WORDS = [
  'contract contrast contracts contracting contact kontract',
  'docker dockerfile doker compose composer composing',
  'graph graphql graphics telegraph paragraph grpah',
  'textbook text book bookshop shop javascript java script',
  'running runner runs run mpu6050 6050 stackoverflow stack overflow',
  '中文文档 文档 中文 検索 日本語'
].flatMap((line) => line.split(' '))
const SITES = ['docker.com', 'docker.io', 'stackoverflow.com', 'graph.example', 'docs.graph.example', 'text.book']
const TAGS = ['docker', 'dockers', 'docker/swarm', 'docker/', '=docker', 'Graph', 'graphs', 'graph/nodes', 'text']

const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most })
const bookmark = fc.record({
  title: words(3),
  description: words(4),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  site: fc.constantFrom(...SITES),
  path: fc.constantFrom('/', '/a', '/b/c'),
  page: fc.option(words(6), { nil: undefined }),
  createdAt: fc.constantFrom(Date.UTC(2020, 2), Date.UTC(2020, 9), Date.UTC(2021, 1), Date.UTC(2026, 9, 9))
})
type Saved = typeof bookmark extends fc.Arbitrary<infer T> ? T : never

const typed = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: fc.constantFrom(...WORDS).map((word) => word.slice(0, -1)) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS).map((word) => `${word.slice(0, 1)}${word.slice(2)}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...'site:docker site:docs site:dockr.com #graph label:docker tga:docker tag=text description:graph limit:5 is:untagged'
        .concat(
          ' is:broken is:highlighted -is:highlighted after:2020 before:2021-06 on:2020 last:9m order:oldest -is:untagged type:repo * te* |text|graph'
        )
        .split(' '),
      'graph OR docker OR textbook',
      '(graph OR compose) AND (docker OR text)',
      '"docker" graph',
      'tag:"docker swarm"',
      'tags:docker,text',
      'site:(docker.com OR graph.example)',
      'in 2020',
      'last month',
      'but not the docker one',
      'without graph',
      'my tags',
      '{"query": "graph", "tags": ["dockers"]}',
      'the',
      'xylophone',
      'tag:dockerz',
      'site:docker.com',
      '"text book"',
      '-graph',
      '(graph OR tag:docker)',
      '-(graph tag:docker)',
      'tag:=docker',
      '-tag:docker/'
    )
  }
)
const query = fc.record({
  words: fc.array(typed, { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  tags: fc.option(fc.constantFrom<string[][]>(['docker'], ['docker/'], ['grap'], ['text', 'graph']), {
    nil: undefined,
    freq: 6
  }),
  typing: fc.option(fc.constant(true), { nil: undefined, freq: 5 }),
  now: fc.option(fc.constant(Date.UTC(2026, 10, 20, 12)), { nil: undefined }),
  type: fc.option(fc.constantFrom('link' as const, 'color' as const), { nil: undefined, freq: 6 })
})

const LIBRARIES = runs(3, 100)
const SEARCHES = 40

test(`${LIBRARIES * SEARCHES} random searches with an organization’s key have the same answers whatever private bookmarks exist`, {
  timeout: 900_000
}, () => {
  fc.assert(
    fc.property(
      fc.array(bookmark, { minLength: 3, maxLength: 12 }),
      fc.array(bookmark, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(query, { minLength: SEARCHES, maxLength: SEARCHES }),
      (shared, hidden, queries) => {
        const [without, beside] = [answersOf(shared, [], queries), answersOf(shared, hidden, queries, true)]
        expect(beside).toEqual(without)
      }
    ),
    { numRuns: LIBRARIES }
  )
})

/**
 * The answers to an organization's key, as JSON without random ids.
 *
 * @param highlighted whether the owner marked passages of all bookmarks
 */
function answersOf(shared: Saved[], hidden: Saved[], queries: Partial<BookmarkQuery>[], highlighted = false): string[] {
  const library = emptyLibrary()
  const [owner = 0, other = 0] = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
  const save = (pages: Saved[], placements: (typeof PRIVATE)[]) => {
    for (const [index, page] of pages.entries()) {
      const placement = placements[index % placements.length] ?? PRIVATE
      const [saved] = library.saveBookmarks(placement, [draftOf(page, `${placements.length}-${index}`)])
      if (page.page && saved) readPage(library, saved.id, page.page.join(' '))
      if (highlighted && saved) highlight(library, saved.id, WORDS[index] ?? '')
    }
  }
  // A page that is saved already is not saved again.
  const isShared = (page: Saved) => shared.some(({ site, path }) => path === '/' && site === page.site)
  const others = hidden.filter((page) => page.path !== '/' || !isShared(page))
  save(others, [PRIVATE, within(other)])
  save(shared, [PUBLIC, within(owner), within(owner)])
  const caller = { ...PROFILE, owner }
  const ids = library.searchBookmarks(caller, { page: 1, limit: 100 }).bookmarks.map(({ id }) => id)
  const related = ids.map((id) =>
    JSON.stringify(library.relatedBookmarks(caller, id, 5).map(({ title, url, tags }) => ({ title, url, tags })))
  )
  const searched = queries.map((asked) => {
    const found = library.searchBookmarks({ owner, readOnly: false }, { page: 1, limit: 5, ...asked })
    const bookmarks = found.bookmarks.map(({ title, url, tags }) => ({ title, url, tags }))
    return JSON.stringify({ asked, ...found, bookmarks })
  })
  return [...searched, ...related]
}

function draftOf({ title, description, tags, site, path, createdAt }: Saved, index: string): BookmarkDraft {
  const address = path === '/' ? `https://${site}/` : `https://${site}${path}/${index}`
  return link(address, { title: title.join(' '), description: description.join(' '), tags, createdAt })
}

function highlight(library: ReturnType<typeof emptyLibrary>, id: string, note: string): void {
  library.saveHighlight(id, { ...HighlightRequest.parse({ quote: 'graph docker', note }), id: 'a' }, 2000)
}

/** Gives a bookmark the text of a page, whose words are found but never offered as corrections. */
function readPage(library: ReturnType<typeof emptyLibrary>, id: string, text: string): void {
  const rowId = library.db.prepare('SELECT id FROM bookmarks WHERE public_id = ?').pluck().get(id) as number
  library.db.prepare('INSERT OR REPLACE INTO page_texts (bookmark_id, text) VALUES (?, ?)').run(rowId, text)
  library.editBookmark(id, { description: `${text.length} letters` }, 2000)
}
