// Views of the list: their addresses, queries, rules and exports, and the palette.

import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/api/client.ts'
import { type Commands, type PaletteContent, paletteGroups } from '../../src-renderer/app/palette/palette-rows.ts'
import { ruleFor, ruleOf } from '../../src-renderer/features/bookmarks/rules/rule-query.ts'
import {
  ALL,
  cleared,
  isFiltered,
  orderOf,
  queryOf,
  readView,
  type View,
  viewAddress,
  withTag
} from '../../src-renderer/features/bookmarks/search/view.ts'
import { exportAddress } from '../../src-renderer/lib/export-address.ts'

const FULL: View = {
  type: 'link',
  words: 'rust "borrow checker"',
  tags: ['a&b', 'Ä'],
  domain: 'example.com',
  visibility: 'organization',
  organization: 'Acme & Sons',
  is: 'broken',
  order: 'oldest'
}

test('a view is written to its address and read from it, and the default view has the address /', () => {
  const [path, search] = viewAddress(FULL).split('?')
  expect(path).toBe('/links')
  expect(readView('link', search ?? '')).toEqual(FULL)
  expect(viewAddress(readView(undefined, ''))).toBe('/')
})

test('invalid values in an address do not filter', () => {
  const view = readView(undefined, 'visibility=everyone&order=random&domain=%20&tag=&organization=&is=new')
  expect(view).toEqual({ words: '', tags: [], order: 'newest' })
  expect(isFiltered(view)).toBe(false)
})

test('a query has words or an order', () => {
  const { words, tags: tag, order: _, ...filters } = FULL
  expect(queryOf(FULL, true)).toEqual({ words, typing: 'true', tag, ...filters })
  expect(queryOf({ words: '  ', tags: [], order: 'title' }, true)).toEqual({ order: 'title' })
})

test('clearing a view keeps its type and order', () => {
  expect(cleared(FULL)).toEqual({ type: 'link', words: '', tags: [], order: 'oldest' })
})

test('a tag is added once, in any case', () => {
  expect(withTag(FULL, 'ä')).toBe(FULL)
  expect(withTag(FULL, 'new').tags).toEqual(['a&b', 'Ä', 'new'])
})

test('a random order has its seed in the address, and choosing it again makes a new seed', () => {
  const { order } = readView(undefined, '?order=random:42')
  expect([order, viewAddress({ ...ALL, order })]).toEqual(['random:42', '/?order=random%3A42'])
  expect(readView(undefined, '?order=random:x').order).toBe('newest')
  expect(orderOf('title')).toBe('title')
  expect(orderOf('random')).toMatch(/^random:\d+$/)
})

test('an export has the filters of the list without its order', () => {
  expect(exportAddress('T', 'jsonl')).toBe('/api/exports?ticket=T&format=jsonl')
  expect(exportAddress('T', 'csv', { words: 'a b&c', tag: ['x', 'y'], domain: undefined, typing: 'true' })).toBe(
    '/api/exports?ticket=T&format=csv&words=a+b%26c&tag=x&tag=y&typing=true'
  )
  expect(exportAddress('T', 'html', { order: 'oldest', type: 'link' })).toBe(
    '/api/exports?ticket=T&format=html&type=link'
  )
})

const rule = (view: Partial<View>) => ruleOf({ ...ALL, ...view })?.query

test.for<[view: Partial<View>, query: string]>([
  [{ words: ' rust "borrow checker" ' }, 'rust "borrow checker"'],
  [
    { words: 'rust', tags: ['work/client', 'to read', '=a/'], domain: 'a.example', type: 'link' },
    'tag:work/client tag:"to read" tag:=a/ site:a.example type:link rust'
  ],
  [{ is: 'broken' }, 'is:broken'],
  [{ words: 'rust', untagged: true }, 'is:untagged rust'],
  [{ words: '"half a phrase', tags: ['a'] }, 'tag:a "half a phrase']
])('the view %j becomes the rule %s', ([view, query]) => {
  expect(rule(view)).toBe(query)
})

test.for<Partial<View>>([
  {},
  { type: 'link' },
  { words: 'a', visibility: 'public' },
  { words: 'a', organization: 'Acme' },
  { words: 'a', days: 7 },
  { words: 'a', from: '2026-01-01' },
  { words: 'a', to: '2026-01-01' },
  { words: 'a', opened: true },
  { tags: ['say "when"'] }
])('the view %j becomes no rule: it has no filter, or one that rules do not have', (view) => {
  expect(rule(view)).toBeUndefined()
})

test('a change of all results of a search can become a rule', () => {
  const query = { words: 'rust', tag: ['a'] }
  const list = { query, first: { total: 2, atLeast: false } }
  const all = { ids: ['x', 'y'] }
  const tagging = { kind: 'tags', add: ['crab'], remove: [] }
  expect(ruleFor(all, tagging, list)).toEqual({ query: 'tag:a rust', tags: ['crab'] })
  expect(ruleFor({ all: query, except: [] }, tagging, { query, first: undefined })).toBeDefined()
  const moving = { kind: 'move', visibility: 'organization' as const, organization: 'Acme' }
  expect(ruleFor(all, moving, list)).toEqual({ query: 'tag:a rust', visibility: 'organization', organization: 'Acme' })
  expect(ruleFor(all, { ...tagging, remove: ['a'] }, list)).toBeUndefined()
  expect(ruleFor(all, { kind: 'delete' }, list)).toBeUndefined()
  expect(ruleFor({ all: query, except: ['x'] }, tagging, list)).toBeUndefined()
  expect(ruleFor({ ids: ['x'] }, tagging, list)).toBeUndefined()
  expect(ruleFor(all, tagging, { query, first: { total: 2, atLeast: true } })).toBeUndefined()
  expect(ruleFor(all, tagging, { query: {}, first: list.first })).toBeUndefined()
})

const opened: string[] = []
const icon = (() => null) as unknown as Commands['go'][number]['icon']
const command = (name: string) => ({ name, icon, run: () => void opened.push(name) })
const bookmark = (id: string, title: string) =>
  ({ id, title, url: `https://${id}.example/`, domain: `${id}.example`, content: '' }) as ShownBookmark

const CONTENT: PaletteContent = {
  query: '',
  found: [bookmark('b', 'Dark matter')],
  opened: [bookmark('r', 'Just read')],
  past: [bookmark('p', 'Old news')],
  searches: [{ id: 's1', name: 'Dark reading', address: '/?q=dark&tag=to-read' }],
  tags: [
    { name: 'darkroom', bookmarks: 1234 },
    { name: 'not dark', bookmarks: 2 },
    { name: 'food', bookmarks: 3 }
  ],
  organizations: [{ id: 'o1', name: 'Darkhold', bookmarks: 7 }],
  commands: { go: [command('Settings'), command('API keys')], do: [command('Dark theme'), command('Add a bookmark')] },
  selection: [],
  list: [],
  icons: { bookmark: icon, saved: icon, tag: icon, organization: icon, search: icon },
  go: (path) => void opened.push(path),
  open: (id) => void opened.push(`open ${id}`)
}

const groups = (query: string, content = CONTENT) =>
  paletteGroups({ ...content, query }).map(({ label, rows }) => [label, ...rows.map((row) => row.label)])

test('the empty palette offers the bookmarks opened last, every command, and old bookmarks', () => {
  expect(groups(' ')).toEqual([
    ['Opened last', 'Just read'],
    ['Go to', 'Settings', 'API keys'],
    ['Do', 'Dark theme', 'Add a bookmark'],
    ['From before', 'Old news']
  ])
})

test('a command that begins with the text comes first, otherwise bookmarks do; a full search comes last', () => {
  expect(groups('dark')).toEqual([
    ['Do', 'Dark theme'],
    ['Bookmarks', 'Dark matter'],
    ['Saved searches', 'Dark reading'],
    ['Tags', 'darkroom', 'not dark'],
    ['Organizations', 'Darkhold'],
    ['Search', 'Search all for “dark”']
  ])
  expect(groups('theme').map(([label]) => label)).toEqual(['Bookmarks', 'Do', 'Search'])
})

test('each row opens what it shows', () => {
  const rows = paletteGroups({ ...CONTENT, query: 'dark' }).flatMap((group) => group.rows)
  for (const row of rows) row.run()
  expect(opened).toEqual([
    'Dark theme',
    'open b',
    '/?q=dark&tag=to-read',
    '/?tag=darkroom',
    '/?tag=not+dark',
    '/?organization=o1',
    '/?q=dark'
  ])
  expect(rows.map(({ beside }) => beside)).toEqual([undefined, 'b.example', undefined, '1,234', '2', '7', undefined])
})

test('commands for the selection come before all other commands', () => {
  const content = { ...CONTENT, selection: [command('Tag 3 selected'), command('Delete 3 selected')] }
  const labels = (query: string) => groups(query, content).map(([label]) => label)
  expect(labels('')).toEqual(['Selection', 'Opened last', 'Go to', 'Do', 'From before'])
  expect(labels('tag')[0]).toBe('Selection')
  expect(labels('dark')).not.toContain('Selection')
})
