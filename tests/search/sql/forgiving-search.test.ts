import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { emptyLibrary, link, note, PRIVATE, type TestLibrary, titles } from '../../store/library.ts'

function shelf(): TestLibrary {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://docker.com/', { title: 'Accelerated container development' }),
    link('https://a.example/1', { title: 'Docker', description: 'notes' }),
    link('https://a.example/2', { title: 'Async Rust in practice', description: 'executors and wakers' }),
    link('https://a.example/3', { title: 'DataSciencePython', tags: ['lists'] }),
    link('https://a.example/4', { title: 'Open Sound Control', tags: ['Music'] }),
    link('https://a.example/5', { title: '中文技术文档', description: '写作规范' }),
    link('https://stackoverflow.com/', { title: 'Where developers learn' }),
    link('https://a.example/6', { title: 'useState in React', description: 'hooks' }),
    link('https://a.example/7', { title: 'Node.js best practices' }),
    link('https://b.example/8', { title: 'Image processing pipelines', createdAt: Date.UTC(2026, 0, 15) }),
    note({ type: 'color', title: 'Ultramarine', content: '#120a8f' })
  ])
  return library
}

test('a form that is a letter away too is named once', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Closures in Rust' })])
  const { note: hint } = library.searchBookmarks(PROFILE, { words: 'closure rust', page: 1, limit: 5 })
  expect(hint).toBe('No bookmark has “closure”; searched for “closures”.')
})

test.for([
  ['one word too many', 'async rust xylophone', 'Async Rust in practice'],
  ['two words too many', 'best async rust xylophone practice', 'Async Rust in practice'],
  ['a sentence', 'the page about async rust that I saved for executors', 'Async Rust in practice'],
  ['another form', 'processed images pipeline', 'Image processing pipelines'],
  ['a split word', 'data science python', 'DataSciencePython'],
  ['joined words', 'opensound control', 'Open Sound Control'],
  ['two typos', 'asnyc ruts', 'Async Rust in practice'],
  ['a typo in the first letter', 'xync rust', 'Async Rust in practice'],
  ['an unspaced run', '文档规范', '中文技术文档'],
  ['camel case', 'use state react', 'useState in React'],
  ['punctuation', 'nodejs practices', 'Node.js best practices'],
  ['an abbreviation', 'img pipelines', 'Image processing pipelines'],
  ['what is abbreviated in it', 'nodejs javascript', 'Node.js best practices'],
  ['a half-typed last word behind a wrong one', 'asinc ru', 'Async Rust in practice']
])('%s finds the bookmark: %s', ([, words, title]) => {
  const { bookmarks, note: hint } = shelf().searchBookmarks(PROFILE, { words: words ?? '', page: 1, limit: 5 })
  expect(bookmarks[0]?.title).toBe(title)
  expect(hint).toBeTruthy()
})

test.for([
  ['letters without decomposition', 'lap trinh duoc', 'Lập trình được'],
  ['traditional characters', '編程學習', '编程学习'],
  ['a keyboard left in Russian', 'вщслук цшлш', 'docker wiki'],
  ['a keyboard left in Latin', 'ghjuhfvvf', 'программа'],
  ['Russian with other endings', 'программирования', 'программирование'],
  ['Arabic with an article', 'البرمجة', 'كتاب برمجة'],
  ['a number that is joined', 'vue3 router', 'Router for Vue 3'],
  ['a symbol by its name', 'cpp templates', 'Templates in C++'],
  ['a whole question', '请问哪里可以找到编程的学习', '编程学习']
])('%s finds the bookmark, and is said: %s', ([, words = '', title]) => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    [
      ...['Lập trình được', '编程学习', 'docker wiki', 'программа', 'программирование', 'كتاب برمجة'],
      ...['Router for Vue 3', 'Templates in C++', 'Something else']
    ].map((name, index) => link(`https://a.example/${index}`, { title: name }))
  )
  const { bookmarks, note: hint } = library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(bookmarks[0]?.title).toBe(title)
  // What is the same but for its writing is found as it was typed.
  if (!/^(lap|編|cpp)/.test(words)) expect(hint).toBeTruthy()
})

test.for([
  ['книга', 'Книги для детей'],
  ['москва', 'Погода в Москве'],
  ['погода москва', 'Погода в Москве'],
  ['город', 'Жизнь города'],
  ['страна', 'Страны мира'],
  ['мир', 'Страны мира'],
  ['страна мир', 'Страны мира'],
  ['который', 'О которых мы говорим'],
  ['екип', 'Екипът на мечтите'],
  ['posts', 'My first post']
])('a word that is in a list of usual words is searched in other forms too: %s', ([words = '', title]) => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    [
      ...['Книги для детей', 'Погода в Москве', 'Жизнь города', 'Страны мира', 'О которых мы говорим'],
      ...['Екипът на мечтите', 'My first post', 'Something else']
    ].map((name, index) => link(`https://a.example/${index}`, { title: name }))
  )
  expect(titles(library, { words })).toEqual([title])
})

test.for([
  ['R2D2', 'Building R2-D2'],
  ['c3po', 'The voice of C-3PO'],
  ['web3js', 'Learn web3.js'],
  ['100mb', 'Files of 100 MB'],
  ['tsql', 'T-SQL reference'],
  ['tsql syntax', 'T-SQL reference'],
  ['dont', 'Don’t panic'],
  ['isnt', "It isn't magic"]
])('%s, written as one word, finds the bookmark whose title has it in parts', ([words = '', title]) => {
  const library = emptyLibrary()
  const all = ['Building R2-D2', 'The voice of C-3PO', 'Learn web3.js', 'Files of 100 MB', 'T-SQL reference']
  library.saveBookmarks(
    PRIVATE,
    [...all, 'Don’t panic', "It isn't magic", 'The psql client'].map((name, index) =>
      link(`https://a.example/${index}`, { title: name })
    )
  )
  expect(titles(library, { words })[0]).toBe(title)
})

test('a mistyped word is corrected even if another bookmark has it in parts', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'Plan D: docker' }),
    link('https://a.example/2', { title: 'The docker handbook' })
  ])
  expect(titles(library, { words: 'ddocker' })).toHaveLength(2)
})

test.for([
  ['らーめん', 'ラーメンの店'],
  ['ラーメン', 'らーめん日記'],
  ['スシ', 'すし'],
  ['オスシ屋', 'おすし屋'],
  ['て', 'テ']
])('kana find the same sounds in the other kana, behind what is written as typed: %s', ([words = '', title = '']) => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    [title, 'Something else'].map((name, index) => link(`https://a.example/${index}`, { title: name }))
  )
  expect(titles(library, { words })).toEqual([title])
  library.saveBookmarks(PRIVATE, [link('https://a.example/typed', { title: words })])
  library.saveBookmarks(PRIVATE, [link('https://a.example/later', { title })])
  expect(titles(library, { words })[0]).toBe(words)
})

test('what was typed with another keyboard layout is said, and taken so only where all of it is known', () => {
  const library = shelf()
  const ask = (words: string) => library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(ask('вщслук').note).toBe('“вщслук” was read as “docker”, typed with another keyboard layout.')
  expect(ask('вщслук щзудд').total).toBe(0)
})

test.for([
  ['the whole title first, then the site that is named', 'docker', ['Docker', 'Accelerated container development']],
  ['a site of two words', 'stack overflow', ['Where developers learn']],
  ['a site by its host', 'docker.com', ['Accelerated container development']]
] as const)('%s: %s', ([, words, found]) => {
  expect(titles(shelf(), { words })).toEqual(found)
})

test('a title that is the query comes first, however usual its words', () => {
  const library = shelf()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 200 }, (_, index) => link(`https://c.example/${index}`, { title: `Docker tool ${index}` }))
  )
  const { bookmarks, note: hint } = library.searchBookmarks(PROFILE, { words: 'docker', page: 1, limit: 5 })
  expect(bookmarks.slice(0, 2).map(({ title }) => title)).toEqual(['Docker', 'Accelerated container development'])
  expect(hint).toBeUndefined()
})

test('a name that no host can have is no site', () => {
  expect(titles(shelf(), { words: 'က\u{10800}.㐀' })).toEqual([])
})

test.for([
  ['tag:music', ['Open Sound Control']],
  ['-tag:music sound', []],
  ['site:b.example', ['Image processing pipelines']],
  ['type:color', ['Ultramarine']],
  ['after:2026-01-15 before:2026-01-16', ['Image processing pipelines']],
  ['notes in:title', []],
  ['in:title react', ['useState in React']],
  ['title:react hooks', ['useState in React']],
  ['pract*', ['Async Rust in practice', 'Node.js best practices']],
  ['is:untagged type:color', ['Ultramarine']],
  ['-is:untagged', ['Open Sound Control', 'DataSciencePython']],
  ['-type:link', ['Ultramarine']],
  ['-site:a.example -site:docker.com -site:stackoverflow.com', ['Ultramarine', 'Image processing pipelines']]
] as const)('%s filters', ([words, found]) => {
  expect(titles(shelf(), { words }).toSorted()).toEqual([...found].toSorted())
})

test.for([
  ['async -rust', 'a word to leave out'],
  ['"async" "xylophone"', 'quoted words']
])('%s is never loosened: %s', ([words = '']) => {
  expect(titles(shelf(), { words })).toEqual([])
})

test('what is nearest is shown, however little of a long question it holds', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://robohash.example/', { title: 'RoboHash' })])
  const words = 'RoboHash web service that makes unique pictures of robots and of monsters from any text you like'
  expect(titles(library, { words })[0]).toBe('RoboHash')
  expect(titles(library, { words: 'rust with tokio wakers beside a hyper server and some grpc' })).toEqual([
    'Async Rust in practice'
  ])
})

test('a phrase that no bookmark holds finds its words, nearest together first, and says so', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://a.example/10', { title: 'Control of rust by sound, open to all' })])
  const query = { words: '"open sound kontroll"', page: 1, limit: 5 }
  const { bookmarks, note: hint } = library.searchBookmarks(PROFILE, query)
  expect(bookmarks.map(({ title }) => title)).toEqual(['Open Sound Control', 'Control of rust by sound, open to all'])
  expect(hint).toMatch(/^No bookmark has “open sound kontroll” as a phrase; showing those with its words, nearest/)
})

test.for([
  ['three words that one holds by no chance', 'alpine marmot burrow', ['Alpine marmot burrow']],
  ['a word of them joined elsewhere', 'alpine marmot burrow camp', ['Alpine marmot burrow camp', 'Burrowcamp']]
] as const)('%s are answered with %j', ([, words, found]) => {
  const library = shelf()
  library.saveBookmarks(
    PRIVATE,
    [...Array.from({ length: 20 }, (_, index) => `Filler ${index}`), ...found, 'Alpine marmots'].map((title, index) =>
      link(`https://m.example/${index}`, { title })
    )
  )
  expect(titles(library, { words }).slice(0, 2).toSorted()).toEqual(
    found.length === 1 ? found : expect.arrayContaining([found[0]])
  )
  expect(titles(library, { words }).includes('Alpine marmots')).toBe(found.length > 1)
})

test('a title is found whole, whatever in it looks like an operator', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://a.example/11', { title: 'rust -async in practice' })])
  expect(titles(library, { words: 'rust -async in practice' })).toEqual(['rust -async in practice'])
})

test.for([
  ['https://github.com/acme/rocket', 'same', 'This page is saved.'],
  ['https://github.com/acme/rocket/?utm_source=letter#usage', 'same', 'This page is saved.'],
  ['http://www.github.com/acme/rocket', 'near', 'This page is saved, under a nearly equal address.'],
  ['github.com/acme/rocket/issues/12', 'above', 'This page is not saved; the first bookmark is a page above it.'],
  ['github.com/acme/rock', 'half typed', 'This page is not saved. The nearest are shown.'],
  ['https://gihtub.com/acme/rockte', 'mistyped', 'This page is not saved. The nearest are shown.'],
  ['acme/ro', 'half an owner/name', 'words that begin with it'],
  ['gihtub.com', 'a mistyped site', 'searched for “github”']
] as const)('the address %s finds its page, and is said to be %s', ([words, , said]) => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [
    link('https://github.com/acme/rocket', { title: 'Fireworks' }),
    link('https://github.com/acme/other', { title: 'Something else' }),
    link('https://github.com/', { title: 'Where code lives' })
  ])
  const { bookmarks, note: hint } = library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(bookmarks[0]?.title).toBe(words === 'gihtub.com' ? 'Where code lives' : 'Fireworks')
  expect(hint).toContain(said)
})

test('an address that nobody saved anything like is answered with nothing, and said so', () => {
  const { total, note: hint } = shelf().searchBookmarks(PROFILE, { words: 'https://qqqq.zzzz/wwww', page: 1, limit: 5 })
  expect([total, hint]).toEqual([0, 'This page is not saved.'])
})

test('filters hold for what is loosened too', () => {
  expect(titles(shelf(), { words: 'async rust xylophone', domain: 'b.example' })).toEqual([])
})

test('the hint names what is missing, and says which words were meant', () => {
  const library = shelf()
  const hint = (words: string) => library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(hint('best async rust talks').note).toBe(
    'No bookmark has all of: best, async, rust, talks. Showing those with some of them; none of these has “talks”.'
  )
  expect(hint('best async rust talks').relaxed).toEqual({
    words: ['best', 'async', 'rust', 'talks'],
    absent: ['talks']
  })
  expect(hint('asnyc rust').note).toBe('No bookmark has “asnyc”; searched for “async”.')
  expect(hint('opensound').note).toBe('No bookmark has “opensound” as one word; searched for “open sound”.')
  expect(hint('xylophone').note).toBe('No bookmark has “xylophone”.')
  expect(hint('async rust')).not.toHaveProperty('note', expect.anything())
})

test('what matches only words that carry nothing is not shown', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://a.example/9', { title: 'How to find the page' })])
  expect(titles(library, { words: 'how to find the xylophone' })).not.toContain('How to find the page')
})

test('pages of a loosened search follow each other, none twice', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 23 }, (_, index) =>
    link(`https://a.example/${index}`, { title: `async rust ${index}` })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const pages = [1, 2, 3, 4, 5, 6].map((page) =>
    library.searchBookmarks(PROFILE, { words: 'async rust xylophone', page, limit: 5 })
  )
  const ids = pages.flatMap(({ bookmarks }) => bookmarks.map(({ id }) => id))
  expect([ids.length, new Set(ids).size]).toEqual([23, 23])
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 23))
  expect(pages[5]?.note).toContain('past the end')
})

test('words of other scripts keep their marks, and are found beside one too many', () => {
  const library = emptyLibrary()
  for (const [index, title] of [
    'Новый йогурт рецепт',
    'プログラミング入門',
    'Κουζίνα και βιβλίο',
    'हिन्दी किताब'
  ].entries()) {
    library.saveBookmarks(PRIVATE, [link(`https://a.example/${index}`, { title })])
  }
  expect(titles(library, { words: 'новый йогурт xylophone' })).toEqual(['Новый йогурт рецепт'])
  expect(titles(library, { words: 'プログラミング xylophone' })).toEqual(['プログラミング入門'])
  expect(titles(library, { words: 'κουζίνα xylophone' })).toEqual(['Κουζίνα και βιβλίο'])
  expect(titles(library, { words: 'हिन्दी xylophone' })).toEqual(['हिन्दी किताब'])
})

test('most of the words are worth showing, however usual they are beside one that is rare', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    ...Array.from({ length: 30 }, (_, index) =>
      link(`https://a.example/${index}`, { title: `rust async tutorial ${index}` })
    ),
    link('https://a.example/pasta', { title: 'cooking pasta' })
  ])
  expect(titles(library, { words: 'rust async tutorial pasta' })).toHaveLength(31)
})

test.for([
  ['title:rust', ['The rust']],
  ['in:title rust', ['The rust']],
  ['title:rust title:async', []]
] as const)('%s looks in titles only, loosened or not', ([words, found]) => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'The rust' }),
    link('https://rust.com/', { title: 'Containers', description: 'rust' })
  ])
  expect(titles(library, { words }).filter((title) => title === 'Containers')).toEqual([])
  expect(titles(library, { words })).toEqual(found.length > 0 ? found : ['The rust'])
})

test.for([1, 2, 5])('the total is the same on every page of %i', (limit) => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'rust' }),
    link('https://a.example/2', { title: 'One', description: 'rust' }),
    link('https://a.example/3', { title: 'Two', description: 'rust' })
  ])
  for (const page of [1, 2, 3]) {
    expect(library.searchBookmarks(PROFILE, { words: 'rust', page, limit }).total).toBe(3)
  }
})

test.for([
  'x'.repeat(1000),
  'тест'.repeat(250),
  `tag:${'x'.repeat(900)}`,
  'type:text '.repeat(95),
  'rust \ue000 OR \ue001'
])('whatever is typed is answered, and an empty answer says why: %s', (words) => {
  const letters = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0xa000 + index)).join('')
  const library = shelf()
  for (const typed of [words, letters]) {
    const { total, note: hint } = library.searchBookmarks(PROFILE, { words: typed, page: 1, limit: 5 })
    expect(total > 0 || hint !== undefined).toBe(true)
  }
})

test('the front page of a site is looked up by its index', () => {
  const plan = shelf().db.prepare(
    `EXPLAIN QUERY PLAN SELECT b.id FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
     CROSS JOIN json_each('[1]') h CROSS JOIN bookmarks b INDEXED BY bookmarks_by_near_page
       ON ifnull(b.organization_id, 0) = +o.owner AND b.near_page = h.value
     WHERE b.near_page IS NOT NULL AND b.deleted_at IS NULL`
  )
  const details = (plan.all() as { detail: string }[]).map(({ detail }) => detail)
  expect(details).toContainEqual(expect.stringContaining('SEARCH b USING INDEX bookmarks_by_near_page'))
})

test('what the filters leave is not said of all bookmarks', () => {
  const note = (words: string) => shelf().searchBookmarks(PROFILE, { words, page: 1, limit: 5 }).note
  expect(note('docker -site:docker.com -notes')).toBe(
    'Nothing matches without what was left out; with it 2 bookmarks match.'
  )
  expect(note('sensor site:a.example')).toBe('With these filters no bookmark has “sensor”.')
  expect(note('site:nowhere.example')).toBe(
    'No bookmark has the domain “nowhere.example”. Without it 11 bookmarks match.'
  )
  expect(note('docker site:nowhere.example')).toMatch(
    /^No bookmark has the domain “nowhere\.example”\. Without it \d+ bookmarks match\.$/
  )
  expect(note('xylophone site:nowhere.example')).toBe('No bookmark has the domain “nowhere.example”.')
})
