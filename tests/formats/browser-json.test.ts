import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chromeJson, firefoxJson } from '../../src-main/formats/browser-json.ts'
import { expectFormat, read, readBookmarks } from './reading.ts'

/** As Chrome writes it: members by name, so that a folder's name stands behind what is in it. */
const CHROME = JSON.stringify(
  {
    checksum: 'd41d8cd98f00b204e9800998ecf8427e',
    roots: {
      bookmark_bar: {
        children: [
          {
            date_added: '13245678900123456',
            date_last_used: '0',
            guid: '0bc5d13f-2cba-5d74-951f-3f233fe6c908',
            id: '5',
            meta_info: { last_visited_desktop: '13245678900123456', name: 'not its name' },
            name: 'On the bar',
            type: 'url',
            url: 'https://a.example/bar?q=%22x%22'
          },
          {
            children: [
              {
                children: [{ name: 'Deep', type: 'url', url: 'https://a.example/deep' }],
                name: '2024/Q1',
                type: 'folder'
              },
              { date_added: '0', name: '', type: 'url', url: 'https://a.example/untitled' }
            ],
            date_added: '13245678900000000',
            name: 'Work',
            type: 'folder'
          },
          { children: [{ name: 'Nameless', type: 'url', url: 'https://a.example/nameless' }], name: '', type: 'folder' }
        ],
        date_added: '13245678900000000',
        name: 'Bookmarks bar',
        type: 'folder'
      },
      other: {
        children: [{ name: 'Bookmarklet', type: 'url', url: 'javascript:alert(1)' }],
        name: 'Other bookmarks',
        type: 'folder'
      },
      synced: { children: [], name: 'Mobile bookmarks', type: 'folder' }
    },
    sync_metadata: 'CiQ=',
    version: 1
  },
  null,
  3
)

const FIREFOX = {
  guid: 'root________',
  title: '',
  index: 0,
  dateAdded: 1600000000000000,
  lastModified: 1600000001000000,
  id: 1,
  typeCode: 2,
  type: 'text/x-moz-place-container',
  root: 'placesRoot',
  children: [
    {
      guid: 'menu________',
      title: 'menu',
      index: 0,
      typeCode: 2,
      root: 'bookmarksMenuFolder',
      children: [
        place({ index: 1, title: 'Second', uri: 'https://a.example/2', tags: 'rust,read later' }),
        place({
          index: 0,
          title: 'First',
          uri: 'https://a.example/1',
          dateAdded: 1600000002123456,
          annos: [
            { name: 'bookmarkProperties/description', flags: 0, expires: 4, value: 'What it is about' },
            { name: 'other', value: 'no' }
          ]
        }),
        { guid: 'separator', index: 2, typeCode: 3, type: 'text/x-moz-place-separator' },
        {
          title: 'Recipes',
          index: 3,
          typeCode: 2,
          type: 'text/x-moz-place-container',
          children: [place({ index: 0, title: 'Soup', uri: 'https://a.example/soup' })]
        }
      ]
    },
    {
      guid: 'tags________',
      title: 'tags',
      index: 2,
      typeCode: 2,
      root: 'tagsFolder',
      children: [{ title: 'rust', typeCode: 2, children: [place({ index: 0, uri: 'https://a.example/2' })] }]
    },
    {
      guid: 'unfiled_____',
      title: 'unfiled',
      index: 3,
      typeCode: 2,
      root: 'unfiledBookmarksFolder',
      children: [place({ index: 0, title: 'Most visited', uri: 'place:sort=8' })]
    }
  ]
}

function place(facts: object) {
  return { guid: 'abcdefghijkl', typeCode: 1, type: 'text/x-moz-place', ...facts }
}

describe('Chrome’s file', () => {
  test('gives every bookmark with its date and folders; the roots are none', () => {
    expect(expectFormat(chromeJson, CHROME)).toEqual([
      {
        url: 'https://a.example/bar?q=%22x%22',
        title: 'On the bar',
        description: '',
        tags: [],
        createdAt: 1601205300123
      },
      { url: 'https://a.example/deep', title: 'Deep', description: '', tags: ['Work/2024-Q1'] },
      { url: 'https://a.example/untitled', title: '', description: '', tags: ['Work'] },
      { url: 'https://a.example/nameless', title: 'Nameless', description: '', tags: [] },
      { url: 'javascript:alert(1)', title: 'Bookmarklet', description: '', tags: [] }
    ])
  })

  test('gives what is in Opera’s own roots, and what Vivaldi keeps with a bookmark', () => {
    const url = (name: string, more: object = {}) => ({ type: 'url', name, url: `https://${name}.example/`, ...more })
    const opera = {
      roots: {
        bookmark_bar: { children: [] },
        custom_root: {
          unsorted: { children: [url('u')], name: 'Unsorted', type: 'folder' },
          userRoot: { children: [{ type: 'folder', name: 'f', children: [url('deep')] }] },
          trash: { children: [url('gone'), { type: 'folder', name: 'g', children: [url('gone2')] }] }
        },
        other: { children: [] }
      }
    }
    expect(expectFormat(chromeJson, JSON.stringify(opera))).toMatchObject([
      { title: 'u', tags: [] },
      { title: 'deep', tags: ['f'] },
      { skipped: 'bookmarks in the browser’s trash' },
      { skipped: 'bookmarks in the browser’s trash' }
    ])
    const line = { type: 'url', name: '---', url: 'http://bookmark.placeholder.url/' }
    const described = url('a', { meta_info: { Description: 'About it', Nickname: 'a' } })
    const vivaldi = {
      roots: {
        bookmark_bar: { children: [described, line], name: 'Bookmarks', type: 'folder' },
        trash: { children: [url('gone')], name: 'Trash', type: 'folder' }
      }
    }
    expect(expectFormat(chromeJson, JSON.stringify(vivaldi))).toMatchObject([
      { title: 'a', description: 'About it', dropped: ['keywords'] },
      { skipped: 'separators' },
      { skipped: 'bookmarks in the browser’s trash' }
    ])
  })

  test('gives bookmarks wherever they are, and what is of no known kind', () => {
    const url = (name: string) => ({ type: 'url', name, url: `https://${name}.example/` })
    const file = {
      roots: {
        bookmark_bar: {
          children: [
            { ...url('both'), children: [url('inside')] },
            { type: 'x', name: 'odd' }
          ]
        },
        list: [url('in-list')],
        deep: { a: { b: { c: { d: { e: { f: { children: [url('far-down')] } } } } } } }
      },
      extra: { children: [url('beside')], more: { x: url('as-member') } }
    }
    const found = expectFormat(chromeJson, JSON.stringify(file)) as { title: string; url: string }[]
    expect(found.map(({ title }) => title).sort()).toEqual(
      ['as-member', 'beside', 'both', 'far-down', 'in-list', 'inside', 'odd'].sort()
    )
  })

  test('loses no bookmark, in whatever member of whatever folder it is', () => {
    const { node } = fc.letrec<{ node: unknown; folder: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constant({ type: 'url', name: 'A', url: 'https://a.example/' }),
        fc.constantFrom(1, 'x', null, [], {}),
        tie('folder'),
        tie('folder')
      ),
      folder: fc
        .dictionary(
          fc.constantFrom('children', 'children ', 'extra', 'custom_root'),
          fc.oneof(fc.array(tie('node'), { maxLength: 3 }), tie('node'))
        )
        .map((members) => ({ type: 'folder', name: 'f', ...members }))
    }))
    fc.assert(
      fc.property(node, node, node, (one, two, three) => {
        const file = JSON.stringify({ roots: { bookmark_bar: { children: [one] }, other: two }, more: three })
        const count = file.split('"type":"url"').length - 1
        expect(readBookmarks(chromeJson, file).filter(({ url }) => url !== '')).toHaveLength(count)
      }),
      { numRuns: 500 }
    )
  })

  test('that is cut off is refused', () => {
    const cut = CHROME.slice(0, CHROME.indexOf('"Work"'))
    expect(() => read(chromeJson, cut)).toThrow(/damaged or cut off/)
  })

  test('with folders 100,000 deep is read in time that grows with the file only', () => {
    const depth = 100_000
    const node = '{"name":"f","type":"folder","children":[{"name":"A","type":"url","url":"https://a.example/"},'
    const file = `{"roots":{"bookmark_bar":{"children":[${node.repeat(depth)}{"name":"end"}${']}'.repeat(depth)}]}}}`
    const started = performance.now()
    const found = readBookmarks(chromeJson, file)
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(found).toHaveLength(depth)
    expect(found.at(-1)?.tags).toEqual([Array.from({ length: 16 }, () => 'f').join('/')])
  })
})

describe('Firefox’s backup', () => {
  test('gives bookmarks in their order, with tags, description and folders, and leaves out the tags’ own folder', () => {
    expect(expectFormat(firefoxJson, JSON.stringify(FIREFOX))).toEqual([
      {
        url: 'https://a.example/1',
        title: 'First',
        description: 'What it is about',
        tags: [],
        createdAt: 1600000002123
      },
      { url: 'https://a.example/2', title: 'Second', description: '', tags: ['rust', 'read later'] },
      { skipped: 'separators' },
      { url: 'https://a.example/soup', title: 'Soup', description: '', tags: ['Recipes'] },
      { url: 'place:sort=8', title: 'Most visited', description: '', tags: [] }
    ])
  })

  test('gives bookmarks that are in no folder, of the root or of a folder alone', () => {
    const [one, two] = [1, 2].map((index) => place({ index, title: `${index}`, uri: `https://a.example/${index}` }))
    const inRoot = JSON.stringify({ ...FIREFOX, children: [one, ...FIREFOX.children, two] })
    expect(readBookmarks(firefoxJson, inRoot).map(({ url }) => url)).toEqual([
      'https://a.example/1',
      ...readBookmarks(firefoxJson, JSON.stringify(FIREFOX)).map(({ url }) => url),
      'https://a.example/2'
    ])
    const alone = JSON.stringify({ title: 'Alone', typeCode: 2, children: [one, { title: 'f', children: [two] }] })
    expect(read(firefoxJson, alone)).toMatchObject([{ title: '1' }, { title: '2' }])
    expect(read(firefoxJson, JSON.stringify(one))).toMatchObject([{ title: '1' }])
  })

  test('gives a live bookmark as one of its site, with its feed', () => {
    const annos = [
      { name: 'livemark/feedURI', value: 'https://a.example/feed' },
      { name: 'livemark/siteURI', value: 'https://a.example/' }
    ]
    const live = { title: 'News', typeCode: 2, type: 'text/x-moz-place-container', annos, children: [] }
    const file = { root: 'placesRoot', typeCode: 2, children: [{ root: 'toolbarFolder', children: [live] }] }
    expect(expectFormat(firefoxJson, JSON.stringify(file))).toMatchObject([
      { url: 'https://a.example/', title: 'News', description: 'Feed: https://a.example/feed' }
    ])
  })

  test('puts what is in a folder in the order of its indexes', () => {
    const folder = {
      title: 'f',
      index: 0,
      typeCode: 2,
      children: [
        place({ index: 2, uri: 'https://a.example/c' }),
        place({ index: 0, uri: 'https://a.example/a' }),
        place({ index: 1, uri: 'https://a.example/b' })
      ]
    }
    const file = { root: 'placesRoot', typeCode: 2, children: [{ root: 'toolbarFolder', children: [folder] }] }
    expect(readBookmarks(firefoxJson, JSON.stringify(file)).map(({ url }) => url.at(-1))).toEqual(['a', 'b', 'c'])
  })
})

describe('a tree that nests without end', () => {
  const DEEP = 3000
  const folders = `{"type":"folder","name":"f","children":[{"name":"in","type":"url","url":"https://a.example/in"},`
  const chrome = (inside: string) => `{"roots":{"bookmark_bar":{"children":[${inside}],"name":"Bar","type":"folder"}}}`

  test('loses no bookmark, at whatever depth it is', () => {
    const file = chrome(
      `${folders.repeat(DEEP)}{"meta":{"a":[{"b":1}]},"name":"deepest","url":"https://a.example/deepest"}${']}'.repeat(DEEP)},` +
        '{"name":"after","type":"url","url":"https://a.example/after"}'
    )
    const found = readBookmarks(chromeJson, file)
    expect(found).toHaveLength(DEEP + 2)
    expect(found.filter(({ title }) => title === 'in')).toHaveLength(DEEP)
    expect(found.find(({ title }) => title === 'deepest')?.tags).toEqual([Array(16).fill('f').join('/')])
    expect(found.at(-1)).toMatchObject({ title: 'after', tags: [] })
  })
})
