import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { type Caller, PROFILE } from '../../../src-main/contract/caller.ts'
import { runs } from '../../support/runs.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import {
  emptyLibrary,
  libraryOf,
  link,
  newKey,
  note,
  PRIVATE,
  PUBLIC,
  search,
  startedLibrary,
  type TestLibrary,
  titles,
  within
} from '../library.ts'

function shelf(): TestLibrary {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://doc.rust-lang.org/book', { title: 'The Rust book', tags: ['Rust', 'Reading'] }),
    link('https://github.com/a/tokio', {
      title: 'Tokio',
      description: 'Async runtime for Rust',
      tags: ['rust', 'async']
    }),
    link('https://gist.github.com/b', { title: 'A gist', description: 'borrow checker notes', tags: ['async'] }),
    link('https://notgithub.com/x', { title: 'Café München', description: 'checker of borrow' }),
    link('https://www.a.example/6050', { title: 'MPU6050 sensor' }),
    note({ type: 'color', title: 'Ultramarine', content: '#120a8f' }),
    note({ type: 'text', title: 'Shopping', content: 'Buy async milk' })
  ])
  return library
}

test.for([
  ['a word in any case', 'TOKIO', ['Tokio']],
  ['a word without its accents', 'cafe munchen', ['Café München']],
  ['a word with wrong accents', 'tókio', ['Tokio']],
  ['words of several fields', 'gist borrow', ['A gist']],
  ['a tag', 'reading', ['The Rust book']],
  ['the text of a note', 'milk', ['Shopping']],
  ['the value of a color', '120a8f', ['Ultramarine']],
  ['a phrase', '"borrow checker"', ['A gist']],
  ['the words of an unknown phrase', '"checker borrow"', ['A gist', 'Café München']],
  ['a phrase without its closing quote', '"borrow checker', ['A gist']],
  ['a word without another', 'async -rust', ['Shopping', 'A gist']],
  ['a word without a phrase', 'checker -"borrow checker"', ['Café München']],
  ['one of two words', 'tokio OR gist', ['Tokio', 'A gist']],
  ['one of two words, and another', 'tokio OR gist borrow', ['A gist']],
  ['the beginning of the only word', 'tok', ['Tokio']],
  ['the beginning of the last word', 'rust asy', ['Tokio']],
  ['the beginning of an earlier word', 'asy rust', ['Tokio']],
  ['the beginning of a phrase', '"borrow check"', ['A gist', 'Café München']],
  ['no unknown word', 'xylophone', []],
  ['a word beside an unknown one', 'rust xylophone', ['The Rust book', 'Tokio']],
  ['all without a word', '-rust', ['Shopping', 'Ultramarine', 'MPU6050 sensor', 'Café München', 'A gist']]
] as const)('a search finds %s: %s', ([, words, found]) => {
  expect(titles(shelf(), { words }).toSorted()).toEqual([...found].toSorted())
})

test.for([
  ['a part of a tag', { tags: ['rus'] }, []],
  ['no tags', { tags: [], words: 'tokio' }, ['Tokio']],
  ['an address as domain', { domain: 'https://GitHub.com/x' }, ['A gist', 'Tokio']],
  ['the end of a domain', { domain: 'hub.com' }, []],
  ['a pattern as domain', { domain: 'github_com' }, []],
  ['words and other filters', { words: 'rust', tags: ['async'], domain: 'github.com', type: 'link' }, ['Tokio']]
] satisfies [string, Partial<BookmarkQuery>, string[]][])('a filter of %s is applied', ([, query, found]) => {
  expect(titles(shelf(), query)).toEqual(found)
})

test('a search without words lists every bookmark, newest first, and a page beyond the end is empty', () => {
  const library = shelf()
  const all = titles(library)
  expect([all.length, all[0], all.at(-1)]).toEqual([7, 'Shopping', 'The Rust book'])
  expect(library.searchBookmarks(PROFILE, { page: 1_000_000, limit: 100 })).toMatchObject({ total: 7, bookmarks: [] })
  expect(library.searchBookmarks(PROFILE, { words: 'rust', page: 3, limit: 5 }).note).toContain('past the end')
})

test('a domain with more than eight labels is found by itself and by its last eight', () => {
  const library = emptyLibrary()
  const domain = `${'a.'.repeat(118)}b.c.example`
  library.saveBookmarks(PRIVATE, [link(`https://${domain}/`, { title: 'Deep' })])
  for (const part of [domain, 'a.a.a.a.a.b.c.example', 'c.example']) {
    expect(titles(library, { domain: part })).toEqual(['Deep'])
  }
  expect(titles(library, { domain: 'a.c.example' })).toEqual([])
})

test('a title that only begins with the word follows those with the whole word, with a hint', () => {
  const library = libraryOf('art', 'artichoke')
  expect(titles(library, { words: 'art' })).toEqual(['art', 'artichoke'])
  expect(search(library, 'art').note).toBe('The first bookmark has all words as typed; the rest other forms of them.')
  expect(library.searchBookmarks(PROFILE, { words: 'art', page: 2, limit: 5 }).bookmarks).toEqual([])
})

test('with five exact matches a search is not relaxed', () => {
  const found = search(libraryOf('art 1', 'art 2', 'art 3', 'art 4', 'art 5', 'artichoke'), 'art')
  expect(found.bookmarks.map(({ title }) => title)).not.toContain('artichoke')
  expect(found.total).toBe(5)
})

test('a correction for a key never depends on bookmarks that it cannot see', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  library.saveBookmarks(PUBLIC, [link('https://a.example/1', { title: 'A contract' })])
  library.saveBookmarks(PRIVATE, [link('https://a.example/2', { title: 'The contrast of contrasts' })])
  const caller = { owner, readOnly: true }
  expect(search(library, 'contraxt', caller).note).toBe('No bookmark has “contraxt”; searched for “contract”.')
  expect(search(library, 'contrast', caller).note).toBe('No bookmark has “contrast”; searched for “contract”.')
  expect(search(library, 'contraxt').total).toBe(2)
})

test('a word of a deleted bookmark is not searched for', () => {
  const library = emptyLibrary()
  const call = { keyId: library.createKey(newKey()).rowId, client: null, tool: 'bookmarks.insert' }
  const { callId } = library.saveForCall(PRIVATE, [link('https://a.example/1', { title: 'MPU6050' })], call)
  library.undo({ call: callId }, 2000)
  expect(search(library, '6050')).toMatchObject({ total: 0, bookmarks: [], note: 'There are no bookmarks yet.' })
})

test.each([
  ['a search by words', { words: 'word' }, 100],
  ['a search by filters', { domain: 'a.example' }, 1000]
])('the total of %s is a lower bound beyond %o', (_, filters, cap) => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: cap + 1 }, (_, index) => link(`https://a.example/${index}`, { title: 'word' }))
  library.saveBookmarks(PRIVATE, drafts.slice(0, cap))
  const query = { ...filters, page: 1, limit: 1 }
  expect(library.searchBookmarks(PROFILE, query)).toMatchObject({ total: cap, atLeast: false })
  library.saveBookmarks(PRIVATE, drafts)
  expect(library.searchBookmarks(PROFILE, query)).toMatchObject({ total: cap, atLeast: true })
})

test.for([
  [{}, ['one', 'public']],
  [{ words: '"secret" OR two' }, ['one', 'public']],
  [{ words: 'private' }, []],
  [{ tags: ['of-two'] }, []],
  [{ domain: 'example' }, ['one', 'public']],
  [{ visibility: 'private' }, []]
] satisfies [Partial<BookmarkQuery>, string[]][])(
  'an organization finds and counts only its own and public bookmarks: %j',
  ([query, found]) => {
    const library = emptyLibrary()
    const [one, two] = [library.createOrganization('One', 1).rowId, library.createOrganization('Two', 1).rowId]
    const places = { private: PRIVATE, public: PUBLIC, one: within(one), two: within(two) }
    for (const [name, placement] of Object.entries(places)) {
      const texts = { title: name, description: 'secret', tags: [`of-${name}`] }
      library.saveBookmarks(placement, [link(`https://${name}.example/`, texts)])
    }
    const caller = { owner: one, readOnly: false }
    expect(titles(library, query, caller)).toEqual(found)
    expect(library.searchBookmarks(caller, { page: 1, limit: 1, ...query }).total).toBe(found.length)
    expect([library.countBookmarks(PROFILE), library.countBookmarks(caller)]).toEqual([4, 2])
  }
)

/** Any UTF-16, with everything that means something to FTS5 and the query language. */
const anything = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20, size: 'max' }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...'"\'-*():^+{},;\\\0\ud800\u200b\u0301\ue000 ', '--', '/*', '""', '\ue000klink', '\u{10ffff}'),
      fc.constantFrom(' OR ', ' AND ', ' NOT ', 'NEAR(', 'NEAR(a b, 2)', 'title:', '{title tags}:', '- title:'),
      fc.constantFrom('rust', 'async', 'title', '日本', '日', 'é', 'ｆｕｌｌ', '👍', 'İ', 'ß')
    ),
    { maxLength: 60, size: 'max' }
  )
  .chain((parts) => fc.constantFrom(parts.join(''), parts.join(' ')))

test('a search for any text ends without an error, and an empty answer has a hint', { timeout: 300_000 }, () => {
  const library = shelf()
  fc.assert(
    fc.property(anything, fc.boolean(), (words, typing) => {
      const { total, bookmarks, note } = library.searchBookmarks(PROFILE, { words, typing, page: 1, limit: 3 })
      expect(bookmarks.length).toBe(Math.min(total, 3))
      expect(total > 0 || note !== undefined).toBe(true)
    }),
    { numRuns: runs(300, 10_000) }
  )
})

test('a search for any text as tag or domain ends without an error', () => {
  const library = shelf()
  fc.assert(
    fc.property(anything, anything, (tag, domain) => {
      const { bookmarks } = library.searchBookmarks(PROFILE, { tags: [tag], domain, page: 1, limit: 3 })
      expect(bookmarks).toBeInstanceOf(Array)
    }),
    { numRuns: runs(100, 3000) }
  )
})

test('the words of any title find it first', () => {
  const library = emptyLibrary()
  const word = fc.stringMatching(/^[a-zäöüéçñ0-9]{2,12}$/)
  let saved = 0
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const title = `${words.join(' ')} end${++saved}`
      library.saveBookmarks(PRIVATE, [note({ title })])
      expect(titles(library, { words: title })[0]).toBe(title)
    }),
    { numRuns: 50 }
  )
})

test('the nearest tag in a hint is one that the caller can see', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  const hidden = Array.from({ length: 300 }, (_, index) =>
    link(`https://hidden.example/${index}`, { tags: [`project-kestrel-${index}`] })
  )
  library.saveBookmarks(PRIVATE, hidden)
  library.saveBookmarks(within(owner), [link('https://own.example/', { tags: ['project-heron'] })])
  library.saveBookmarks(PUBLIC, [link('https://public.example/', { tags: ['projects'] })])
  const hint = (tag: string, caller: Caller) =>
    library.searchBookmarks(caller, { page: 1, limit: 5, tags: [tag] }).note ?? ''
  const client: Caller = { owner, readOnly: false }
  expect(hint('project-kes', client)).toBe('No bookmark has the tag “project-kes”. Without it 2 bookmarks match.')
  expect(hint('project-kestrel-1', client)).not.toContain('nearest')
  expect(hint('project-her', client)).toContain('“project-heron”')
  expect(hint('project', client)).toContain('“projects”')
  expect(hint('project-kes', PROFILE)).toContain('“project-kestrel-0”')
})

test('the reading thread answers many searches at once as a single connection does, also after a write', async () => {
  const folder = tempFolder()
  const drafts = Array.from({ length: 2500 }, (_, index) =>
    link(`https://a.example/${index}`, { title: `common ${index % 2 ? 'odd' : 'even'} rare${index}` })
  )
  const library = await startedLibrary(folder)
  await library.saveBookmarks(PRIVATE, drafts)
  const single = await startedLibrary(folder, { inPlace: true })
  const searches = [
    'common',
    'rare77',
    'common even',
    '"common even"',
    'common -even',
    '-even',
    'rare7x',
    'are77',
    'com'
  ]
  const answers = (from: typeof library) =>
    Promise.all(searches.map((words) => from.searchBookmarks(PROFILE, { words, page: 1, limit: 3 })))
  expect(await answers(library)).toEqual(await answers(single))
  await library.saveBookmarks(PRIVATE, [link('https://b.example/', { title: 'Something else' })])
  const { bookmarks } = await library.searchBookmarks(PROFILE, { words: '-common', page: 1, limit: 3 })
  expect(bookmarks.map(({ title }) => title)).toEqual(['Something else'])
  expect(await library.countBookmarks(PROFILE)).toBe(2501)
})
