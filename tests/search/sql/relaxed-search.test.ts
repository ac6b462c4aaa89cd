import { expect, test } from 'vitest'
import { emptyLibrary, libraryOf, link, note, PRIVATE, search, type TestLibrary, titles } from '../../store/library.ts'

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
    link('https://b.example/8', { title: 'Image processing pipelines' }),
    note({ type: 'color', title: 'Ultramarine', content: '#120a8f' })
  ])
  return library
}

test.for([
  ['one word too many', 'async rust xylophone', 'Async Rust in practice'],
  ['two words too many', 'best async rust xylophone practice', 'Async Rust in practice'],
  ['a sentence', 'the page about async rust that I saved for executors', 'Async Rust in practice'],
  ['another form', 'processed images pipeline', 'Image processing pipelines'],
  ['a split word', 'data science python', 'DataSciencePython'],
  ['joined words', 'opensound control', 'Open Sound Control'],
  ['two typos', 'asnyc ruts', 'Async Rust in practice'],
  ['a typo in the first letter', 'xync rust', 'Async Rust in practice'],
  ['parts of an unspaced run', '文档规范', '中文技术文档'],
  ['words in camel case', 'use state react', 'useState in React'],
  ['a word without its punctuation', 'nodejs practices', 'Node.js best practices'],
  ['an abbreviation', 'img pipelines', 'Image processing pipelines'],
  ['the long form of an abbreviation', 'nodejs javascript', 'Node.js best practices'],
  ['a half-typed last word after a typo', 'asinc ru', 'Async Rust in practice']
])('%s finds the bookmark, with a hint: %s', ([, words = '', title]) => {
  const { bookmarks, note: hint } = search(shelf(), words)
  expect(bookmarks[0]?.title).toBe(title)
  expect(hint).toBeTruthy()
})

const WRITINGS = [
  ...['Lập trình được', '编程学习', 'docker wiki', 'программа', 'программирование', 'كتاب برمجة'],
  ...['Router for Vue 3', 'Templates in C++', 'Книги для детей', 'Погода в Москве', 'Страны мира'],
  ...['О которых мы говорим', 'Екипът на мечтите', 'My first post', 'Building R2-D2', 'The voice of C-3PO'],
  ...['Learn web3.js', 'Files of 100 MB', 'T-SQL reference', 'The psql client', 'Don’t panic', "It isn't magic"],
  ...['Новый йогурт рецепт', 'プログラミング入門', 'Κουζίνα και βιβλίο', 'हिन्दी किताब', 'MPU6050 gyroscope'],
  ...['Пʼять порад', 'שָׁלוֹם עולם', 'ISPARTA', 'สูตรทำอาหารไทยง่ายๆ', 'ផែនទីរាជធានីភ្នំពេញថ្មី', 'ห้องสมุด'],
  ...['RFC 2616: HTTP/1.1', 'RFC 2119', 'The H.264 standard', 'Notes on RFC7231', 'Greece 🇬🇷', '🇬🇧 tea', '❤️ favourites']
]

test.for([
  ['letters without decomposition', 'lap trinh duoc', 'Lập trình được'],
  ['traditional characters', '編程學習', '编程学习'],
  ['a keyboard left in Russian', 'вщслук цшлш', 'docker wiki'],
  ['a keyboard left in Latin', 'ghjuhfvvf', 'программа'],
  ['Russian with other endings', 'программирования', 'программирование'],
  ['Arabic with an article', 'البرمجة', 'كتاب برمجة'],
  ['a joined number', 'vue3 router', 'Router for Vue 3'],
  ['a symbol by its name', 'cpp templates', 'Templates in C++'],
  ['a whole question', '请问哪里可以找到编程的学习', '编程学习'],
  ['another form of a frequent word', 'книга', 'Книги для детей'],
  ['other forms of several frequent words', 'страна мир', 'Страны мира'],
  ['a frequent word beside another form', 'погода москва', 'Погода в Москве'],
  ['another form of a pronoun', 'который', 'О которых мы говорим'],
  ['a Bulgarian word without its article', 'екип', 'Екипът на мечтите'],
  ['a plural', 'posts', 'My first post'],
  ['a name without its hyphen', 'R2D2', 'Building R2-D2'],
  ['a name without its hyphen and digits', 'c3po', 'The voice of C-3PO'],
  ['a name without its dot', 'web3js', 'Learn web3.js'],
  ['a number joined with its unit', '100mb', 'Files of 100 MB'],
  ['a short name without its hyphen', 'tsql syntax', 'T-SQL reference'],
  ['a word without its typographic apostrophe', 'dont', 'Don’t panic'],
  ['a word without its apostrophe', 'isnt', "It isn't magic"],
  ['Cyrillic beside an unknown word', 'новый йогурт xylophone', 'Новый йогурт рецепт'],
  ['Katakana beside an unknown word', 'プログラミング xylophone', 'プログラミング入門'],
  ['Greek beside an unknown word', 'κουζίνα xylophone', 'Κουζίνα και βιβλίο'],
  ['Devanagari beside an unknown word', 'हिन्दी xylophone', 'हिन्दी किताब'],
  ['a word with two letters swapped', 'gyrosocpe', 'MPU6050 gyroscope'],
  ['a word with a wrong first letter', 'hyroscope', 'MPU6050 gyroscope'],
  ['a word with a letter missing', 'gyrocope', 'MPU6050 gyroscope'],
  ['a word with a letter too many', 'gyrosscope', 'MPU6050 gyroscope'],
  ['a word with two mistakes', 'gyrascopa', 'MPU6050 gyroscope'],
  ['a part of a word', '6050', 'MPU6050 gyroscope'],
  ['a Ukrainian word with another apostrophe', "п'ять", 'Пʼять порад'],
  ['Hebrew without points', 'שלום', 'שָׁלוֹם עולם'],
  ['a Turkish word in another case', 'ısparta', 'ISPARTA'],
  ['Thai within a run', 'อาหารไทย', 'สูตรทำอาหารไทยง่ายๆ'],
  ['Khmer within a run', 'ភ្នំពេញ', 'ផែនទីរាជធានីភ្នំពេញថ្មី'],
  ['a joined name and number', 'RFC2616', 'RFC 2616: HTTP/1.1'],
  ['a number without its dot', 'h264', 'The H.264 standard'],
  ['a separated name and number', 'rfc 7231', 'Notes on RFC7231'],
  ['a flag', '🇬🇷', 'Greece 🇬🇷'],
  ['an emoji without its variation selector', '❤', '❤️ favourites']
])('%s finds the bookmark: %s', ([, words, title]) => {
  expect(titles(libraryOf(...WRITINGS), { words })[0]).toBe(title)
})

test.for(['kitten', 'ktiten', 'kittten', 'kitter', 'kittne', 'mitten', 'kiktten'])(
  'a short word is found with any single mistake: %s',
  (words) => {
    expect(titles(libraryOf('My kitten'), { words })).toEqual(['My kitten'])
  }
)

test('a typo is corrected even if another bookmark has its parts', () => {
  expect(titles(libraryOf('Plan D: docker', 'The docker handbook'), { words: 'ddocker' })).toHaveLength(2)
})

test.for([
  ['らーめん', 'ラーメンの店'],
  ['ラーメン', 'らーめん日記'],
  ['スシ', 'すし'],
  ['オスシ屋', 'おすし屋'],
  ['て', 'テ']
])('kana find the same sounds in the other kana, after exact matches: %s', ([words = '', title = '']) => {
  const library = libraryOf(title, 'Something else')
  expect(titles(library, { words })).toEqual([title])
  library.saveBookmarks(PRIVATE, [link('https://a.example/typed', { title: words })])
  library.saveBookmarks(PRIVATE, [link('https://a.example/later', { title })])
  expect(titles(library, { words })[0]).toBe(words)
})

test.for([
  ['the whole title, then the named domain', 'docker', ['Docker', 'Accelerated container development']],
  ['a domain of two words', 'stack overflow', ['Where developers learn']],
  ['a domain by its host', 'docker.com', ['Accelerated container development']],
  ['a title that looks like an operator', 'rust -async in practice', ['rust -async in practice']],
  ['no domain that cannot exist', 'က\u{10800}.㐀', []],
  ['no bookmark with an excluded word', 'async -rust', []],
  ['no bookmark without a quoted word', '"async" "xylophone"', []],
  ['no keyboard layout that fits only a part', 'вщслук щзудд', []],
  ['no correction of a word with a digit', 'dock3rr', []],
  ['no correction of a part of a word', 'dck r', []],
  ['no correction of a quoted word', '"dokcer"', []],
  ['no correction of a very long word', 'docker'.repeat(100), []],
  ['no other fields for a title', 'notes in:title', []],
  ['all titles for in:title', 'in:title react', ['useState in React']],
  ['a title and another field', 'title:react hooks', ['useState in React']]
] as const)('a search finds %s: %s', ([, words, found]) => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://a.example/11', { title: 'rust -async in practice' })])
  expect(titles(library, { words })).toEqual(found)
})

test('a title equal to the query comes first, however frequent its words', () => {
  const library = shelf()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 200 }, (_, index) => link(`https://c.example/${index}`, { title: `Docker tool ${index}` }))
  )
  const { bookmarks, note: hint } = search(library, 'docker')
  expect(bookmarks.slice(0, 2).map(({ title }) => title)).toEqual(['Docker', 'Accelerated container development'])
  expect(hint).toBeUndefined()
})

test('the nearest bookmark is found by a few telling words of a long question', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://robohash.example/', { title: 'RoboHash' })])
  const words = 'RoboHash web service that makes unique pictures of robots and of monsters from any text you like'
  expect(titles(library, { words })[0]).toBe('RoboHash')
  expect(titles(library, { words: 'rust with tokio wakers beside a hyper server and some grpc' })).toEqual([
    'Async Rust in practice'
  ])
})

test('an unknown phrase finds its words, the nearest together first', () => {
  const library = libraryOf('Open Sound Control', 'Control of rust by sound, open to all', 'Something else')
  const { bookmarks, note: hint } = search(library, '"open sound kontroll"')
  expect(bookmarks.map(({ title }) => title)).toEqual(['Open Sound Control', 'Control of rust by sound, open to all'])
  expect(hint).toMatch(/^No bookmark has “open sound kontroll” as a phrase; showing those with its words, nearest/)
})

test('words of two tags are not a phrase', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'x', tags: ['borrow', 'checker'] })])
  expect(search(library, '"borrow checker"').note).toMatch(/^No bookmark has “borrow checker” as a phrase/)
  expect(titles(library, { words: 'borrow checker' })).toEqual(['x'])
})

test('most of the words are enough, however frequent they are beside a rare one', () => {
  const frequent = Array.from({ length: 30 }, (_, index) => `rust async tutorial ${index}`)
  expect(titles(libraryOf(...frequent, 'cooking pasta'), { words: 'rust async tutorial pasta' })).toHaveLength(31)
})

test('words without meaning alone match no bookmark', () => {
  const library = libraryOf('How to find the page', 'Docker')
  expect(titles(library, { words: 'how to find the xylophone' })).not.toContain('How to find the page')
})

test.for(['title:rust', 'in:title rust', 'title:rust title:async'])(
  '%s searches titles only, also relaxed',
  (words) => {
    const library = emptyLibrary()
    library.saveBookmarks(PRIVATE, [
      link('https://a.example/1', { title: 'The rust' }),
      link('https://rust.com/', { title: 'Containers', description: 'rust' })
    ])
    expect(titles(library, { words })).toEqual(['The rust'])
  }
)

test('filters apply to relaxed matches', () => {
  expect(titles(shelf(), { words: 'async rust xylophone', domain: 'b.example' })).toEqual([])
})

test.for([
  ['https://github.com/acme/rocket', 'same', 'This page is saved.'],
  ['https://github.com/acme/rocket/?utm_source=letter#usage', 'same', 'This page is saved.'],
  ['http://www.github.com/acme/rocket', 'near', 'This page is saved, under a nearly equal address.'],
  ['github.com/acme/rocket/issues/12', 'a page above it', 'This page is not saved. The nearest are shown.'],
  ['github.com/acme/rock', 'half typed', 'This page is not saved. The nearest are shown.'],
  ['https://gihtub.com/acme/rockte', 'mistyped', 'This page is not saved. The nearest are shown.'],
  ['acme/ro', 'half an owner/name', 'words that begin with it'],
  ['gihtub.com', 'a mistyped domain', 'searched for “github”']
] as const)('the address %s finds its page (%s)', ([words, , expected]) => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [
    link('https://github.com/acme/rocket', { title: 'Fireworks' }),
    link('https://github.com/acme/other', { title: 'Something else' }),
    link('https://github.com/', { title: 'Where code lives' })
  ])
  const { bookmarks, note: hint } = search(library, words)
  expect(bookmarks[0]?.title).toBe(words === 'gihtub.com' ? 'Where code lives' : 'Fireworks')
  expect(hint).toContain(expected)
})

test.for([
  ['asnyc rust', 'No bookmark has “asnyc”; searched for “async”.'],
  ['picture', 'No bookmark has “picture”; searched for “pictures”.'],
  ['opensound', 'No bookmark has “opensound” as one word; searched for “open sound”.'],
  ['xylophone', 'No bookmark has “xylophone”.'],
  ['вщслук', '“вщслук” was read as “docker”, typed with another keyboard layout.'],
  ['https://qqqq.zzzz/wwww', 'This page is not saved.'],
  ['docker -site:docker.com -notes', 'Nothing matches with -site:docker.com; without it 1 bookmark matches.'],
  ['sensor site:a.example', 'With these filters no bookmark has “sensor”.'],
  ['site:nowhere.example', 'No bookmark has the domain “nowhere.example”. Without it 12 bookmarks match.'],
  ['docker site:nowhere.example', 'No bookmark has the domain “nowhere.example”. Without it 2 bookmarks match.'],
  ['xylophone site:nowhere.example', 'No bookmark has the domain “nowhere.example”.'],
  ['async rust', undefined]
] as const)('the hint of %s is: %s', ([words, hint]) => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://c.example/', { title: 'Pictures of a lake' })])
  expect(search(library, words).note).toBe(hint)
})

test.for([
  ['rust async tag:b', 'Without tag “b” 1 bookmark has all words.'],
  ['rust async -cooked', 'Without -cooked 1 bookmark has all words.'],
  ['rust slow tag:b', 'Without tag “b” 1 bookmark has all words, in other forms.'],
  ['rust async xylophone tag:b', 'Without tag “b” 1 bookmark has “async”.']
] as const)('%s shows bookmarks in part, and the hint says %j', ([words, hint]) => {
  const library = libraryOf()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/', { title: 'Rust async', description: 'Cooked slowly', tags: ['a'] }),
    link('https://b.example/', { title: 'Rust on iron', tags: ['b'] })
  ])
  const { bookmarks, note } = search(library, words)
  expect(bookmarks.map(({ title }) => title)).toEqual(['Rust on iron'])
  expect(note).toContain(hint)
})

test.for([
  ['site:dockre.com container', 'searched for “docker.com”'],
  ['site:docker.org container', 'searched for “docker.com”'],
  ['tag:ios', 'No bookmark has the tag “ios”; searched for the tag “open-ios-apps”.'],
  ['tag:oss', 'No bookmark has the tag “oss”.']
] as const)('%s: the nearest name is %j', ([words, hint]) => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://c.example/', { title: 'Docker on a phone', tags: ['open-ios-apps'] })])
  expect(search(library, words).note).toContain(hint)
})

test('the hint of a relaxed search names all words and the missing ones', () => {
  const { note: hint, relaxed } = search(shelf(), 'best async rust talks')
  expect(hint).toBe(
    'No bookmark has all of: best, async, rust, talks. Showing those with some of them; none of these has “talks”.'
  )
  expect(relaxed).toEqual({ words: ['best', 'async', 'rust', 'talks'], absent: ['talks'] })
})

test.for([
  'x'.repeat(1000),
  'тест'.repeat(250),
  `tag:${'x'.repeat(900)}`,
  'type:text '.repeat(95),
  'rust \ue000 OR \ue001',
  Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0xa000 + index)).join('')
])('an empty answer to a long query has a hint: %.20s', (words) => {
  const { total, note: hint } = search(shelf(), words)
  expect(total > 0 || hint !== undefined).toBe(true)
})
