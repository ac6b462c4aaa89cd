import { expect, test } from 'vitest'
import { textOfArticle } from '../../src-main/formats/html.ts'
import {
  karakeepJson,
  linkwardenJson,
  omnivoreJson,
  readwiseJson,
  wallabagJson
} from '../../src-main/formats/services.ts'
import { expectFormat, read } from './reading.ts'

test('Karakeep yields links and texts, lists and archive as tags, and reports fields it dropped', () => {
  const file = {
    bookmarks: [
      {
        createdAt: 1700000000,
        title: 'A page',
        tags: ['one', 'two'],
        lists: ['l2', 'unknown'],
        content: { type: 'link', url: 'https://a.example/' },
        note: 'My note',
        archived: false
      },
      {
        createdAt: 1700000001,
        title: null,
        tags: [],
        content: { type: 'text', text: 'Words' },
        note: null,
        archived: true
      },
      { createdAt: 1700000002, title: 'scan.pdf', tags: [], content: null, note: null, archived: false }
    ],
    lists: [
      { id: 'l1', name: 'Work', parentId: null },
      { id: 'l2', name: 'Client', parentId: 'l1' }
    ]
  }
  expect(expectFormat(karakeepJson, JSON.stringify(file))).toEqual([
    {
      url: 'https://a.example/',
      title: 'A page',
      description: 'My note',
      tags: ['one', 'two', 'Work/Client'],
      createdAt: 1700000000000
    },
    {
      type: 'text',
      url: '',
      title: '',
      description: '',
      content: 'Words',
      tags: ['archived'],
      createdAt: 1700000001000
    },
    {
      url: '',
      title: 'scan.pdf',
      description: '',
      tags: [],
      createdAt: 1700000002000,
      fault: expect.stringMatching(/leaves out/)
    }
  ])
})

test('a Karakeep list that contains itself ends', () => {
  const file = {
    bookmarks: [
      { createdAt: 1, title: 'A', tags: [], lists: ['a'], content: { type: 'link', url: 'https://a.example/' } }
    ],
    lists: [
      { id: 'a', name: 'A', parentId: 'b' },
      { id: 'b', name: 'B', parentId: 'a' }
    ]
  }
  expect(read(karakeepJson, JSON.stringify(file))).toMatchObject([{ tags: ['B/A'] }])
})

test('Linkwarden yields links with collection paths in any order, and pinned ones as favorites', () => {
  const file = {
    id: 1,
    name: 'Owner',
    username: 'owner',
    collections: [
      {
        id: 2,
        name: 'Client',
        parentId: 1,
        links: [
          {
            id: 7,
            name: 'A page',
            type: 'url',
            description: 'About it',
            tags: [{ id: 1, name: 'one' }],
            url: 'https://a.example/',
            createdAt: '2024-05-01T10:00:00.000Z',
            collection: { name: 'not a tag' }
          },
          { id: 8, name: 'scan', type: 'pdf', description: '', tags: [], url: null }
        ]
      },
      {
        links: [{ name: 'Name behind', url: 'https://a.example/behind', tags: [] }],
        id: 1,
        name: 'Work',
        parentId: null
      },
      { id: 3, name: 'Empty', parentId: null, links: [] }
    ],
    pinnedLinks: [{ name: 'A page', url: 'https://a.example/' }]
  }
  expect(expectFormat(linkwardenJson, JSON.stringify(file, null, 2))).toEqual([
    {
      url: 'https://a.example/',
      title: 'A page',
      description: 'About it',
      tags: ['one', 'favorite', 'Work/Client'],
      createdAt: Date.UTC(2024, 4, 1, 10)
    },
    {
      url: '',
      title: 'scan',
      description: '',
      tags: ['Work/Client'],
      fault: expect.stringMatching(/leaves out/)
    },
    { url: 'https://a.example/behind', title: 'Name behind', description: '', tags: ['Work'] }
  ])
})

test('wallabag yields articles with text, author, star and highlights', () => {
  const file = [
    {
      is_archived: 0,
      is_starred: 1,
      tags: ['one'],
      title: 'A page',
      url: 'https://a.example/',
      content:
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><dl><dt><a href="https://evil.example/">x</a><h2>A<br>heading</h2><p>Tom &amp; <b>Jerry</b>',
      published_by: ['A. Writer', 'B. Writer'],
      created_at: '2024-05-01T10:00:00+02:00',
      annotations: [
        { text: 'So it is', quote: 'A sentence', created_at: '2024-05-02T10:00:00+0000' },
        { text: '', quote: 'Another' }
      ]
    },
    { is_archived: 1, is_starred: '0', title: 'Read', url: 'https://b.example/', content: '', updated_at: '2024-05-02' }
  ]
  expect(expectFormat(wallabagJson, JSON.stringify(file))).toEqual([
    {
      url: 'https://a.example/',
      title: 'A page',
      description: 'By A. Writer, B. Writer',
      highlights: [
        { quote: 'A sentence', note: 'So it is', createdAt: Date.UTC(2024, 4, 2, 10) },
        { quote: 'Another', note: '' }
      ],
      pageText: expect.objectContaining({ text: 'x\nA\nheading\nTom & Jerry' }),
      tags: ['one', 'favorite'],
      createdAt: Date.UTC(2024, 4, 1, 8)
    },
    {
      url: 'https://b.example/',
      title: 'Read',
      description: '',
      highlights: [],
      tags: ['archived'],
      dropped: ['times of change']
    }
  ])
})

test('Readwise’s highlights are read with their documents; a book becomes a text', () => {
  const file = {
    count: 2,
    nextPageCursor: null,
    results: [
      {
        user_book_id: 123,
        title: 'a.example',
        readable_title: 'A page',
        author: 'A. Writer',
        source: 'reader',
        cover_image_url: 'https://a.example/cover.png',
        category: 'articles',
        document_note: 'All of it',
        source_url: 'https://a.example/',
        book_tags: [{ id: 1, name: 'read' }],
        highlights: [
          { id: 1, text: 'One', note: 'Why', color: 'blue', highlighted_at: '2024-05-01T10:00:00Z', is_deleted: false },
          { id: 2, text: 'Two', note: '', color: '', highlighted_at: null },
          { id: 3, text: 'Gone', is_deleted: true }
        ]
      },
      { user_book_id: 124, title: 'A book', source_url: null, highlights: [{ text: 'Words' }] }
    ]
  }
  expect(expectFormat(readwiseJson, JSON.stringify(file))).toMatchObject([
    {
      url: 'https://a.example/',
      title: 'A page',
      description: 'All of it\n\nBy A. Writer',
      tags: ['read'],
      createdAt: Date.UTC(2024, 4, 1, 10),
      highlights: [
        { quote: 'One', note: 'Why', color: 'blue', createdAt: Date.UTC(2024, 4, 1, 10) },
        { quote: 'Two', note: '', color: '', createdAt: undefined }
      ],
      dropped: ['cover pictures']
    },
    { type: 'text', url: '', title: 'A book', content: 'Words' }
  ])
})

test('Omnivore yields pages with labels and archive, and reports dropped fields', () => {
  const file = [
    {
      id: '1',
      slug: 'a-page',
      title: 'A page',
      description: 'About it',
      author: 'A. Writer',
      readingProgress: 40,
      thumbnail: null,
      url: 'https://a.example/',
      state: 'Archived',
      labels: ['one', { name: 'two' }],
      savedAt: '2024-05-01T10:00:00.000Z'
    }
  ]
  expect(expectFormat(omnivoreJson, JSON.stringify(file))).toEqual([
    {
      url: 'https://a.example/',
      title: 'A page',
      description: 'About it\n\nBy A. Writer',
      files: { text: 'content/a-page.html', highlights: 'highlights/a-page.md' },
      tags: ['one', 'two', 'archived'],
      createdAt: Date.UTC(2024, 4, 1, 10),
      dropped: ['reading positions']
    }
  ])
})

test('a pinned Linkwarden link outside any collection is read', () => {
  const file = {
    collections: [{ id: 1, name: 'C', links: [] }],
    pinnedLinks: [{ name: 'P', url: 'https://p.example/' }]
  }
  expect(expectFormat(linkwardenJson, JSON.stringify(file))).toMatchObject([{ title: 'P', tags: ['favorite'] }])
})

test('Linkwarden yields the text of a page, which is plain', () => {
  const links = [
    { name: 'A', url: 'https://a.example/', textContent: 'Five * 3 < 20' },
    { name: 'B', url: 'https://b.example/', textContent: ' ' }
  ]
  const file = JSON.stringify({ collections: [{ id: 1, name: 'C', links }] })
  expect(expectFormat(linkwardenJson, file)).toMatchObject([
    { pageText: { text: 'Five * 3 < 20', markdown: null } },
    { pageText: undefined }
  ])
})

test('Karakeep yields a page’s text and author if present', () => {
  const content = { type: 'link', url: 'https://a.example/', author: 'A. Writer', htmlContent: '<p>One<p>Two' }
  const file = JSON.stringify({ bookmarks: [{ title: 'A', tags: [], content, createdAt: 1 }] })
  expect(expectFormat(karakeepJson, file)).toMatchObject([
    { pageText: { text: 'One\n\nTwo' }, description: 'By A. Writer' }
  ])
})

test('an article’s text is Markdown, without scripts and styles', () => {
  const html =
    '<style>p{}</style><script>1 < 2</script><h1>Head</h1><p>One  two<br>three <i>four</i></p><ul><li>a<li>b</ul>'
  expect(textOfArticle(html)).toEqual({
    text: 'Head\n\nOne two\nthree four\n\na\nb',
    markdown: '# Head\n\nOne two\\\nthree *four*\n\n- a\n- b'
  })
  expect(textOfArticle('<style>p{}</style>')).toBeUndefined()
})

test('an article that is nested too deeply loses its structure, not its words', () => {
  expect(
    textOfArticle(`${'<div>'.repeat(300_000)}<p>a <b>b</b>`)
      ?.text.replace(/\s+/g, ' ')
      .trim()
  ).toBe('a b')
})

test('a record that is not an object is rejected for its missing address', () => {
  expect(read(wallabagJson, '[1,null,"x",[],{}]')).toMatchObject(
    Array.from({ length: 5 }, () => ({ url: '' })).slice(0, 5)
  )
})
