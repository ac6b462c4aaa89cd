import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { type Caller, PROFILE } from '../../../src-main/contract/caller.ts'
import { runs } from '../../support/runs.ts'
import { emptyLibrary, link, newKey, note, PRIVATE, PUBLIC, type TestLibrary, titles, within } from '../library.ts'

/** A small library of everything the searches below tell apart. */
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
  ['one word', 'tokio', ['Tokio']],
  ['any case', 'TOKIO', ['Tokio']],
  ['without accents', 'cafe munchen', ['Café München']],
  ['with accents that are not there', 'tókio', ['Tokio']],
  ['all words', 'rust async', ['Tokio']],
  ['words of several fields', 'gist borrow', ['A gist']],
  ['a tag', 'reading', ['The Rust book']],
  ['a word of the address', 'gist', ['A gist']],
  ['the text of a note', 'milk', ['Shopping']],
  ['the value of a color', '120a8f', ['Ultramarine']],
  ['a phrase', '"borrow checker"', ['A gist']],
  ['what holds the words of a phrase that nothing holds', '"checker borrow"', ['A gist', 'Café München']],
  ['a phrase that is not closed', '"borrow checker', ['A gist']],
  ['a word to leave out', 'async -rust', ['Shopping', 'A gist']],
  ['a phrase to leave out', 'checker -"borrow checker"', ['Café München']],
  ['either word', 'tokio OR gist', ['Tokio', 'A gist']],
  ['either word, and another', 'tokio OR gist borrow', ['A gist']],
  ['the beginning of the last word', 'tok', ['Tokio']],
  ['the beginning of the last of two words', 'rust asy', ['Tokio']],
  ['a part of an earlier word', 'asy rust', ['Tokio']],
  ['the same for the beginning of a phrase', '"borrow check"', ['A gist', 'Café München']],
  ['a word nobody wrote', 'xylophone', []],
  ['one word nobody wrote', 'rust xylophone', ['The Rust book', 'Tokio']]
] as const)('words find %s: %s', ([, words, found]) => {
  expect(titles(shelf(), { words }).toSorted()).toEqual([...found].toSorted())
})

test('of three words, what holds all stands before what holds some', () => {
  const found = titles(shelf(), { words: 'gist borrow async' })
  expect(found[0]).toBe('A gist')
  expect(found.length).toBeGreaterThan(1)
})

test('a site of more labels than anybody names is found by itself and by its last eight', () => {
  const library = emptyLibrary()
  const domain = `${'a.'.repeat(118)}b.c.example`
  library.saveBookmarks(PRIVATE, [link(`https://${domain}/`, { title: 'Deep' })])
  for (const asked of [domain, 'a.a.a.a.a.b.c.example', 'c.example']) {
    expect(titles(library, { domain: asked })).toEqual(['Deep'])
  }
  expect(titles(library, { domain: 'a.c.example' })).toEqual([])
})

test('titles that hold the word within another stand behind those that have it whole, and are said to', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'art' }),
    link('https://a.example/2', { title: 'artichoke' })
  ])
  expect(titles(library, { words: 'art' })).toEqual(['art', 'artichoke'])
  const { total, note } = library.searchBookmarks(PROFILE, { words: 'art', page: 1, limit: 5 })
  expect({ total, note }).toEqual({
    total: 2,
    note: 'The first bookmark has all words as typed; the rest other forms of them.'
  })
  expect(library.searchBookmarks(PROFILE, { words: 'art', page: 2, limit: 5 }).bookmarks).toEqual([])
})

test('the beginning of a word is enough where the whole word finds nothing', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [link('https://a.example/2', { title: 'artichoke' })])
  expect(titles(library, { words: 'arti' })).toEqual(['artichoke'])
})

test('a page of bookmarks with the whole word is not filled with others', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    ['art 1', 'art 2', 'art 3', 'art 4', 'art 5', 'artichoke'].map((title, index) =>
      link(`https://a.example/${index}`, { title })
    )
  )
  const found = library.searchBookmarks(PROFILE, { words: 'art', page: 1, limit: 10 })
  expect(found.bookmarks.map((one) => one.title)).not.toContain('artichoke')
  expect(found.total).toBe(5)
})

test.for([
  ['a letter that is wrong', 'elephent'],
  ['a letter that is missing', 'elepant'],
  ['a letter too many', 'elephhant'],
  ['two letters that are swapped', 'elehpant'],
  ['a wrong first letter', 'alephant'],
  ['two mistakes', 'elephenst']
] as const)('a word with %s is found, and said so', ([, words]) => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [link('https://a.example/1', { title: 'The elephant' })])
  const found = library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(found.bookmarks.map((one) => one.title)).toEqual(['The elephant'])
  expect(found.note).toBe(`No bookmark has “${words}”; searched for “elephant”.`)
})

test.for(['kitten', 'ktiten', 'kittten', 'kitter', 'kittne', 'mitten', 'kiktten'])(
  'a short word is found with any one mistake: %s',
  (words) => {
    const library = emptyLibrary()
    library.saveBookmarks(PRIVATE, [link('https://a.example/1', { title: 'My kitten' })])
    expect(titles(library, { words })).toEqual(['My kitten'])
  }
)

test('a key is offered no word of bookmarks it may not see, not even by silence', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  library.saveBookmarks(PUBLIC, [link('https://a.example/1', { title: 'A contract' })])
  library.saveBookmarks(PRIVATE, [link('https://a.example/2', { title: 'The contrast of contrasts' })])
  const note = (words: string) => library.searchBookmarks({ owner, readOnly: true }, { words, page: 1, limit: 5 }).note
  expect(note('contraxt')).toBe('No bookmark has “contraxt”; searched for “contract”.')
  expect(note('contrast')).toBe('No bookmark has “contrast”; searched for “contract”.')
  expect(library.searchBookmarks(PROFILE, { words: 'contraxt', page: 1, limit: 5 }).total).toBe(2)
})

test('a word whose last bookmark is gone is neither offered nor searched for', () => {
  const library = emptyLibrary()
  const { rowId } = library.createKey(newKey())
  const draft = link('https://a.example/1', { title: 'MPU6050' })
  const call = { keyId: rowId, client: null, tool: 'bookmarks.insert' }
  const { callId } = library.saveForCall(PRIVATE, [draft], call)
  library.undoCall(callId, 2000)
  expect(library.searchBookmarks(PROFILE, { words: '6050', page: 1, limit: 5 })).toEqual({
    total: 0,
    atLeast: false,
    bookmarks: [],
    note: 'There are no bookmarks yet.',
    relaxed: undefined
  })
})

test('only words to leave out give everything else', () => {
  const library = shelf()
  const left = titles(library).filter((title) => !['Tokio', 'The Rust book'].includes(title))
  expect(titles(library, { words: '-rust' })).toEqual(left)
  expect(titles(library, { words: '-rust -async' })).not.toContain('Shopping')
})

test('a title counts more than a description', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'Zig' }),
    link('https://a.example/2', { title: 'Other', description: 'A word on zig' })
  ])
  expect(titles(library, { words: 'zig' })).toEqual(['Zig', 'Other'])
})

test('without words everything is listed, newest first', () => {
  const all = titles(shelf())
  expect(all).toHaveLength(7)
  expect(all[0]).toBe('Shopping')
  expect(all.at(-1)).toBe('The Rust book')
})

test.for([
  ['one tag, in any case', { tags: ['RUST'] }, ['Tokio', 'The Rust book']],
  ['all of several tags', { tags: ['rust', 'Async'] }, ['Tokio']],
  ['a tag nobody has', { tags: ['rust', 'zig'] }, []],
  ['part of a tag', { tags: ['rus'] }, []],
  ['no tags', { tags: [], words: 'tokio' }, ['Tokio']],
  ['a site and its subdomains', { domain: 'github.com' }, ['A gist', 'Tokio']],
  ['a subdomain', { domain: 'gist.github.com' }, ['A gist']],
  ['a site with www', { domain: 'www.a.example' }, ['MPU6050 sensor']],
  ['a site saved with www', { domain: 'a.example' }, ['MPU6050 sensor']],
  ['a site from an address', { domain: 'https://GitHub.com/x' }, ['A gist', 'Tokio']],
  ['the end of a name', { domain: 'hub.com' }, []],
  ['a pattern', { domain: '%' }, []],
  ['another pattern', { domain: 'github_com' }, []],
  ['a type', { type: 'color' }, ['Ultramarine']],
  ['a visibility', { visibility: 'public' }, []],
  ['filters and words together', { words: 'rust', tags: ['async'], domain: 'github.com', type: 'link' }, ['Tokio']],
  ['filters that exclude each other', { tags: ['rust'], type: 'color' }, []]
] satisfies [string, Partial<BookmarkQuery>, string[]][])('filters find %s', ([, query, found]) => {
  expect(titles(shelf(), query)).toEqual(found)
})

test('pages follow each other without gap or overlap, and the total is that of all', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 12 }, (_, index) => link(`https://a.example/${index}`, { title: `word ${index}` }))
  )
  for (const words of [undefined, 'word']) {
    const pages = [1, 2, 3, 4].map((page) =>
      library.searchBookmarks(PROFILE, { page, limit: 5, ...(words && { words }) })
    )
    expect(pages.map((one) => one.bookmarks.length)).toEqual([5, 5, 2, 0])
    expect(pages.map(({ total, atLeast }) => [total, atLeast])).toEqual(pages.map(() => [12, false]))
    expect(new Set(pages.flatMap((one) => one.bookmarks.map(({ id }) => id))).size).toBe(12)
  }
})

test('a page far beyond the end is empty', () => {
  expect(shelf().searchBookmarks(PROFILE, { page: 1_000_000, limit: 100 })).toMatchObject({ total: 7, bookmarks: [] })
})

test.each([
  ['of words is counted up to 100', { words: 'word' }, 100],
  ['of filters alone is counted up to 1,000', { domain: 'a.example' }, 1000]
])('a total %s, and says so beyond', (_, filters, cap) => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: cap + 1 }, (_, index) => link(`https://a.example/${index}`, { title: 'word' }))
  library.saveBookmarks(PRIVATE, drafts.slice(0, cap))
  const query = { ...filters, page: 1, limit: 1 }
  expect(library.searchBookmarks(PROFILE, query)).toMatchObject({ total: cap, atLeast: false })
  library.saveBookmarks(PRIVATE, drafts)
  expect(library.searchBookmarks(PROFILE, query)).toMatchObject({ total: cap, atLeast: true })
})

/** One bookmark for each who may see it, all with the word `secret`. */
function neighbours() {
  const library = emptyLibrary()
  const [one, two] = [library.createOrganization('One', 1).rowId, library.createOrganization('Two', 1).rowId]
  const places = { private: PRIVATE, public: PUBLIC, one: within(one), two: within(two) }
  for (const [name, placement] of Object.entries(places)) {
    const draft = { title: name, description: 'secret', tags: [`of-${name}`] }
    library.saveBookmarks(placement, [link(`https://${name}.example/`, draft)])
  }
  return { library, one: { owner: one, readOnly: false } satisfies Caller }
}

test('the profile sees everything', () => {
  expect(titles(neighbours().library)).toEqual(['two', 'one', 'public', 'private'])
})

test.for([
  [{}, ['one', 'public']],
  [{ words: 'secret' }, ['one', 'public']],
  [{ words: 'secr' }, ['one', 'public']],
  [{ words: '"secret" OR two' }, ['one', 'public']],
  [{ words: 'private' }, []],
  [{ words: 'secret -one' }, ['public']],
  [{ tags: ['of-two'] }, []],
  [{ domain: 'private.example' }, []],
  [{ domain: 'example' }, ['one', 'public']],
  [{ visibility: 'private' }, []],
  [{ visibility: 'organization' }, ['one']],
  [{ visibility: 'public' }, ['public']]
] satisfies [Partial<BookmarkQuery>, string[]][])(
  'an organization sees its own and public bookmarks only, and counts no others: %j',
  ([query, found]) => {
    const { library, one } = neighbours()
    expect(titles(library, query, one)).toEqual(found)
    expect(library.searchBookmarks(one, { page: 1, limit: 1, ...query }).total).toBe(found.length)
  }
)

test('the count of bookmarks is that of those a caller may see', () => {
  const { library, one } = neighbours()
  expect(library.countBookmarks(PROFILE)).toBe(4)
  expect(library.countBookmarks(one)).toBe(2)
})

/** Any UTF-16, and all that FTS5 and the query language give a meaning to. */
const anything = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20, size: 'max' }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('"', "'", '-', ' ', '*', '(', ')', ':', '^', '+', '{', '}', ',', ';', '--', '\0', '\ud800'),
      fc.constantFrom(' OR ', ' AND ', ' NOT ', 'NEAR(', 'title:', 'rust', 'async', '日本', 'é', '\ue000', '\u{10ffff}')
    ),
    { maxLength: 60, size: 'max' }
  )
  .map((parts) => parts.join(''))

test('nothing that can be typed makes a search throw', { timeout: 300_000 }, () => {
  const library = shelf()
  fc.assert(
    fc.property(anything, (words) => {
      const { total, bookmarks } = library.searchBookmarks(PROFILE, { words, page: 1, limit: 3 })
      expect(bookmarks.length).toBe(Math.min(total, 3))
    }),
    { numRuns: runs(200, 10_000) }
  )
})

test('nothing that can be asked for as a tag or a site makes a search throw', () => {
  const library = shelf()
  fc.assert(
    fc.property(anything, anything, (tag, domain) => {
      expect(library.searchBookmarks(PROFILE, { tags: [tag], domain, page: 1, limit: 3 }).bookmarks).toBeInstanceOf(
        Array
      )
    }),
    { numRuns: runs(100, 3000) }
  )
})

test('whatever a title says, its own words find it first', () => {
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

test('the nearest tag is one of bookmarks that the caller may see, however many others have', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  const hidden = Array.from({ length: 300 }, (_, index) =>
    link(`https://hidden.example/${index}`, { tags: [`project-kestrel-${index}`] })
  )
  library.saveBookmarks(PRIVATE, hidden)
  library.saveBookmarks(within(owner), [link('https://own.example/', { tags: ['project-heron'] })])
  library.saveBookmarks(PUBLIC, [link('https://public.example/', { tags: ['projects'] })])
  const note = (tag: string, caller: Caller) =>
    library.searchBookmarks(caller, { page: 1, limit: 5, tags: [tag] }).note ?? ''
  const theirs: Caller = { owner, readOnly: false }
  expect(note('project-kes', theirs)).toBe('No bookmark has the tag “project-kes”. Without it 2 bookmarks match.')
  expect(note('project-kestrel-1', theirs)).not.toContain('nearest')
  expect(note('project-her', theirs)).toContain('“project-heron”')
  expect(note('project', theirs)).toContain('“projects”')
  expect(note('project-kes', PROFILE)).toContain('“project-kestrel-0”')
})
