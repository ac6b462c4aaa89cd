/** Exports of services for reading later, in the form that these services write, compared field by field. */
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { everything, quickPorts } from '../ports.ts'

async function* pieces(bytes: Uint8Array) {
  yield bytes
}

const json = (value: unknown) => strToU8(JSON.stringify(value, null, 2))

/** Imports a file into an empty library, and returns its report and everything it saved. */
async function saved(file: Uint8Array) {
  const ports = quickPorts()
  const report = await importLibrary(ports, PROFILE, pieces(file))
  const bookmarks = await everything(ports)
  const { highlights } = await ports.library.readReading(bookmarks.map(({ id }) => id))
  const rows = bookmarks.map(async ({ id, url, title, description, tags, createdAt, visibility, content }) => ({
    ...{ url, title, description, tags, visibility, content, createdAt: new Date(createdAt).toISOString() },
    text: (await ports.library.readPageText(id)).markdown,
    highlights: (highlights.get(id) ?? [])
      .sort((a, b) => (a.quote < b.quote ? -1 : 1))
      .map(({ quote, note, color, createdAt }) => [quote, note, color, new Date(createdAt).toISOString()])
  }))
  return { report, rows: (await Promise.all(rows)).sort((a, b) => ((a.url ?? '') < (b.url ?? '') ? -1 : 1)) }
}

const PRIVATE = { visibility: 'private', content: '' }

test('wallabag: text, author, tags, star, archive, dates, and highlights with notes', async () => {
  const entry = {
    id: 7,
    uid: null,
    title: 'Slow bread',
    url: 'https://bread.example/slow',
    hashed_url: '1f1c0fa4f9f9f6c8d4a1c9f4b0f1d8e7a6b5c4d3',
    is_archived: 1,
    is_starred: 1,
    content: '<h2>Dough</h2>\n<p>It rests for a <a href="https://bread.example/day">day</a>.</p>',
    created_at: '2023-04-05T10:00:00+0200',
    updated_at: '2023-04-06T10:00:00+0200',
    published_by: ['Ada Baker'],
    mimetype: 'text/html',
    language: 'en',
    reading_time: 3,
    domain_name: 'bread.example',
    preview_picture: 'https://bread.example/loaf.jpg',
    tags: ['baking', 'slow food'],
    annotations: [
      {
        text: 'Try this',
        created_at: '2023-04-05T11:00:00+0200',
        quote: 'It rests for a day',
        ranges: [{ start: '/p[1]', startOffset: '0', end: '/p[1]', endOffset: '18' }]
      }
    ]
  }
  const plain = {
    id: 8,
    title: 'Later',
    url: 'https://later.example/',
    is_archived: 0,
    is_starred: 0,
    tags: [],
    annotations: []
  }
  const { report, rows } = await saved(json([entry, plain]))
  expect(report).toMatchObject({ imported: 2, duplicate: 0, rejected: 0 })
  expect(report.dropped).toEqual({ 'times of change': 1, 'cover pictures': 1 })
  expect(rows[0]).toEqual({
    ...PRIVATE,
    url: 'https://bread.example/slow',
    title: 'Slow bread',
    description: 'By Ada Baker',
    tags: ['archived', 'baking', 'favorite', 'slow food'],
    createdAt: '2023-04-05T08:00:00.000Z',
    text: '## Dough\n\nIt rests for a [day](https://bread.example/day).',
    highlights: [['It rests for a day', 'Try this', 'yellow', '2023-04-05T09:00:00.000Z']]
  })
  expect(rows[1]).toMatchObject({ url: 'https://later.example/', tags: [], highlights: [], text: null })
})

test('Omnivore: text, labels, archive, author, dates, and highlights with notes', async () => {
  const item = {
    id: '1b2c3d4e-0000-4000-8000-000000000000',
    slug: 'slow-bread-18a',
    title: 'Slow bread',
    description: 'How to wait',
    author: 'Ada Baker',
    url: 'https://bread.example/slow',
    state: 'Archived',
    readingProgress: 42,
    thumbnail: 'https://bread.example/loaf.jpg',
    labels: ['baking'],
    savedAt: '2023-04-05T08:00:00.000Z',
    updatedAt: '2023-04-06T08:00:00.000Z',
    publishedAt: '2023-01-01T00:00:00.000Z'
  }
  const archive = zipSync({
    'metadata_0_to_20.json': json([item]),
    'content/slow-bread-18a.html': strToU8('<div id="readability-page-1"><p>It rests.</p><p>It rises.</p></div>'),
    'highlights/slow-bread-18a.md': strToU8('> It rests. \n\n#good\n\nTry this\n\n> It rises. ')
  })
  const { report, rows } = await saved(archive)
  expect(report).toMatchObject({ imported: 1, rejected: 0 })
  expect(report.dropped).toEqual({ 'cover pictures': 1, 'reading positions': 1 })
  expect(rows).toMatchObject([
    {
      ...PRIVATE,
      url: 'https://bread.example/slow',
      title: 'Slow bread',
      description: 'How to wait\n\nBy Ada Baker',
      tags: ['archived', 'baking'],
      createdAt: '2023-04-05T08:00:00.000Z',
      text: 'It rests.\n\nIt rises.'
    }
  ])
  expect(rows[0]?.highlights.map((all) => all.slice(0, 3))).toEqual([
    ['It rests.', '#good\n\nTry this', 'yellow'],
    ['It rises.', '', 'yellow']
  ])
})

test('Readwise: documents with their highlights, notes, colors and dates; a book becomes a text', async () => {
  const highlight = {
    ...{ id: 1, location: 1, location_type: 'offset', tags: [], is_favorite: false, is_discard: false, url: null },
    ...{ text: 'It rests for a day', note: 'Try this', color: 'purple', is_deleted: false },
    highlighted_at: '2023-04-05T08:00:00.000Z',
    readwise_url: 'https://readwise.io/open/1'
  }
  const document = {
    ...{ user_book_id: 9, is_deleted: false, category: 'articles', source: 'reader', asin: null, external_id: '01h' },
    ...{
      title: 'Slow bread | Bread',
      readable_title: 'Slow bread',
      author: 'Ada Baker',
      document_note: '',
      summary: ''
    },
    ...{ cover_image_url: '', unique_url: 'https://read.readwise.io/read/01h', book_tags: [{ id: 3, name: 'baking' }] },
    source_url: 'https://bread.example/slow',
    highlights: [highlight, { ...highlight, id: 2, text: 'It rises', note: '', color: 'blue' }]
  }
  const book = {
    ...document,
    user_book_id: 10,
    title: 'A book',
    readable_title: 'A book',
    category: 'books',
    source_url: null
  }
  const { report, rows } = await saved(json({ count: 2, nextPageCursor: null, results: [document, book] }))
  expect(report).toMatchObject({ imported: 2, rejected: 0 })
  const of = {
    ...PRIVATE,
    description: 'By Ada Baker',
    tags: ['baking'],
    createdAt: '2023-04-05T08:00:00.000Z',
    text: null
  }
  const content = 'It rests for a day\n\n(Try this)\n\nIt rises'
  expect(rows).toEqual([
    { ...of, url: null, title: 'A book', content, highlights: [] },
    {
      ...of,
      url: 'https://bread.example/slow',
      title: 'Slow bread',
      highlights: [
        ['It rests for a day', 'Try this', 'pink', '2023-04-05T08:00:00.000Z'],
        ['It rises', '', 'blue', '2023-04-05T08:00:00.000Z']
      ]
    }
  ])
})

test('Karakeep: links and notes with lists, tags, note, archive and dates', async () => {
  const list = { id: 'l1', name: 'Kitchen', description: null, icon: '🍞', type: 'manual', query: null, parentId: null }
  const link = {
    createdAt: 1_680_681_600,
    title: 'Slow bread',
    tags: ['baking'],
    lists: ['l1'],
    content: { type: 'link', url: 'https://bread.example/slow' },
    note: 'For Sunday',
    archived: true
  }
  const text = {
    ...link,
    title: null,
    tags: [],
    lists: [],
    content: { type: 'text', text: 'Buy flour' },
    note: null,
    archived: false
  }
  const { report, rows } = await saved(json({ bookmarks: [link, text], lists: [list] }))
  expect(report).toMatchObject({ imported: 2, rejected: 0 })
  expect(report.dropped).toBeUndefined()
  expect(rows).toMatchObject([
    { url: null, content: 'Buy flour', createdAt: '2023-04-05T08:00:00.000Z' },
    {
      url: 'https://bread.example/slow',
      title: 'Slow bread',
      description: 'For Sunday',
      tags: ['archived', 'baking', 'Kitchen'],
      createdAt: '2023-04-05T08:00:00.000Z'
    }
  ])
})
