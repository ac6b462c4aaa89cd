// Views of the list: their addresses, queries, rules and exports, and the palette.

import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/api/client.ts'
import { type PaletteContent, paletteGroups } from '../../src-renderer/app/palette/palette-rows.ts'
import { ruleFor, ruleOf } from '../../src-renderer/features/bookmarks/rules/rule-query.ts'
import { completionsOf } from '../../src-renderer/features/bookmarks/search/completions.ts'
import {
  cleared,
  isFiltered,
  isShown,
  orderOf,
  queryOf,
  type View,
  viewAddress,
  viewAt
} from '../../src-renderer/features/bookmarks/search/view.ts'
import { exportAddress } from '../../src-renderer/lib/export-address.ts'
import {
  addTag,
  readText,
  replaceFilters,
  setFilter,
  tagFilter,
  wordBefore,
  writeFilter
} from '../../src-renderer/lib/filters.ts'

test.for(['-organization:Acme', '-is:opened', 'last:0d'])('“%s” is no filter', (text) => {
  expect(readText(text)).toEqual({ filters: [], rest: text })
})

const partsOf = (text: string) => {
  const { filters, rest } = readText(text)
  return [...filters.map(({ source }) => source), rest]
}

test.for<[text: string, ...parts: string[]]>([
  ['rust tag:web async', 'tag:web', 'rust async'],
  ['tag:"to read" -site:x.org rust', 'tag:"to read"', '-site:x.org', 'rust'],
  ['rust is:broken', 'is:broken', 'rust '],
  ['tag:a OR tag:b', 'tag:a OR tag:b'],
  ['NOT tag:a (tag:b or site:c.d) type:image', 'type:image', 'NOT tag:a (tag:b or site:c.d)'],
  ['tag:(a OR b) tag:c', 'tag:c', 'tag:(a OR b)'],
  ['"tag:a" node:fs type:repo is:new before:soon', '"tag:a" node:fs type:repo is:new before:soon'],
  [
    'since:2026-01 last:7d order:oldest visibility:public',
    'since:2026-01',
    'last:7d',
    'order:oldest',
    'visibility:public',
    ''
  ],
  ['is:opened organization:Acme', 'is:opened', 'organization:Acme', ''],
  ['tag:\'say "when"\' x', 'tag:\'say "when"\'', 'x'],
  ['tag:a "open quote tag:b', 'tag:a', '"open quote tag:b']
])('the filters of %j are chips, and the rest stays text', ([text, ...parts]) => {
  expect(partsOf(text).map((part) => part.trim())).toEqual(parts.map((part) => part.trim()))
})

test('a filter that the caret is at the end of is not complete', () => {
  expect(readText('tag:rust', 8)).toEqual({ filters: [], rest: 'tag:rust' })
  expect(readText('tag:rust ', 9).rest).toBe('')
})

test('every tag can be written as a filter and read again', () => {
  for (const tag of ['rust', 'c++', 'to read', '=a', 'a/', '日本', 'say "when"', 'x,y', 'unread']) {
    const [filter] = readText(tagFilter(tag)).filters
    expect(filter?.source).toBe(tagFilter(tag))
  }
  expect(writeFilter('organization', 'Acme & Sons')).toBe('organization:"Acme & Sons"')
})

test('filters are added once, replaced and removed, and the words stay', () => {
  expect(addTag('rust', 'web')).toBe('tag:web rust')
  expect(addTag('tag:WEB rust', 'web')).toBe('tag:WEB rust')
  expect(addTag('is:untagged', 'unread')).toBe('is:unread')
  expect(setFilter('site:a.org -site:c.org x', 'site', 'b.org')).toBe('-site:c.org site:b.org x')
  expect(setFilter('type:image x', 'type', undefined)).toBe('x')
  expect(replaceFilters(' a tag:b c ', () => true, [])).toBe('a c')
})

test('an address holds the text and the order, readable', () => {
  const view: View = { text: 'tag:work/client site:a.org "borrow checker"', order: 'oldest' }
  expect(viewAddress(view)).toBe('/?q=tag:work/client+site:a.org+%22borrow+checker%22&order=oldest')
  expect(viewAt(viewAddress(view))).toEqual(view)
  expect(viewAddress({ text: '' })).toBe('/')
  expect(viewAt('/tags')).toBeUndefined()
})

test.for<[address: string, text: string]>([
  ['/links?q=rust&tag=a%26b&tag=to+read', 'type:link tag:"a&b" tag:"to read" rust'],
  [
    '/?domain=example.com&visibility=public&organization=Acme&is=broken',
    'site:example.com visibility:public organization:Acme is:broken'
  ],
  ['/?days=7&untagged=true', 'last:7d is:untagged'],
  ['/?from=2026-01-01&to=2026-02-01', 'after:2026-01-01 until:2026-02-01'],
  ['/?opened=true', 'is:opened'],
  ['/?tag=unread&tag=%3Da%2F', 'is:unread tag:=a/'],
  ['/?visibility=everyone&domain=%20&tag=&organization=&is=new&days=0&from=soon', '']
])('the former address %s opens as the text %j', ([address, text]) => {
  expect(viewAt(address)?.text).toBe(text)
})

test('two texts with the same filters and words show the same', () => {
  expect(isShown('/?q=tag:a&tag=b&order=oldest', { text: 'tag:B  tag:a' })).toBe(true)
  expect(isShown('/?q=tag:a', { text: 'tag:a x' })).toBe(false)
})

test('filters alone are a list in any order; beside words they are part of the search', () => {
  const list = { tag: ['a', 'unread'], domain: 'x.org', type: 'image', is: 'broken', untagged: 'true' }
  const text = 'tag:a is:unread site:x.org type:image is:broken is:untagged'
  expect(queryOf({ text, order: 'title' })).toEqual({ ...list, order: 'title' })
  expect(queryOf({ text: '  ' })).toEqual({ order: 'newest' })
  expect(queryOf({ text: 'import:3' })).toEqual({ import: '3', order: 'newest' })
  expect(queryOf({ text: 'order:oldest tag:a' })).toEqual({ tag: ['a'], order: 'oldest' })
  expect(queryOf({ text: 'tag:a rust', order: 'title' }, true)).toEqual({ words: 'tag:a rust', typing: 'true' })
  expect(queryOf({ text: 'rust', order: 'oldest' })).toEqual({ words: 'order:oldest rust' })
  expect(queryOf({ text: '-tag:a' })).toEqual({ words: '-tag:a' })
  expect(queryOf({ text: 'site:github tag:a,b' })).toEqual({ words: 'site:github tag:a,b' })
})

test('a filter that is being typed is searched, which corrects it', () => {
  expect(queryOf({ text: 'type:image tag:rus' }, true)).toEqual({ words: 'type:image tag:rus', typing: 'true' })
})

test('days, organizations and what was opened are fields of the query in both', () => {
  expect(queryOf({ text: 'after:2026-02 until:2026-02 x' })).toEqual({
    words: 'x',
    from: '2026-02-01',
    to: '2026-02-28'
  })
  expect(queryOf({ text: 'before:2026-03-01' })).toEqual({ to: '2026-02-28', order: 'newest' })
  expect(queryOf({ text: 'on:2025' })).toEqual({ from: '2025-01-01', to: '2025-12-31', order: 'newest' })
  expect(queryOf({ text: 'last:2w' })).toEqual({ days: '14', order: 'newest' })
  expect(queryOf({ text: 'on:yesterday' })).toEqual({ words: 'on:yesterday' })
  expect(queryOf({ text: 'organization:Acme is:opened', order: 'oldest' })).toEqual({
    organization: 'Acme',
    opened: 'true'
  })
})

test('clearing a view keeps its type and order', () => {
  expect(cleared({ text: 'type:link tag:a x', order: 'oldest' })).toEqual({ text: 'type:link', order: 'oldest' })
  expect([isFiltered({ text: 'type:link' }), isFiltered({ text: 'type:link x' })]).toEqual([false, true])
})

test('a random order has its seed in the address, and choosing it again makes a new seed', () => {
  expect(viewAt('/?order=random:42')?.order).toBe('random:42')
  expect(viewAddress({ text: '', order: 'random:42' })).toBe('/?order=random:42')
  expect(viewAt('/?order=random:x')?.order).toBeUndefined()
  expect(orderOf('title')).toBe('title')
  expect(orderOf('best')).toBeUndefined()
  expect(orderOf('random')).toMatch(/^random:\d+$/)
})

test('filters, their values, tags and dates are completed from the table of filters', () => {
  const known = {
    tags: [
      { name: 'rust', bookmarks: 9 },
      { name: 'to read', bookmarks: 2 },
      { name: 'unread', bookmarks: 1 }
    ],
    sites: ['github.com', 'gitlab.com'],
    organizations: [{ name: 'Acme & Sons' }]
  }
  const sources = (word: string) => completionsOf(word, known).map(({ source }) => source)
  expect(sources('ta')).toEqual(['tag:'])
  expect(sources('t')).toEqual([])
  expect(sources('-si')).toEqual(['-site:'])
  expect(sources('tag:')).toEqual(['tag:rust', 'tag:"to read"'])
  expect(sources('#re')).toEqual(['tag:"to read"'])
  expect(sources('-site:gitl')).toEqual(['-site:gitlab.com'])
  expect(sources('type:i')).toEqual(['type:image', 'type:link'])
  expect(sources('is:op')).toEqual(['is:opened'])
  expect(sources('after:tod')).toEqual(['after:today'])
  expect(sources('organization:"Ac')).toEqual(['organization:"Acme & Sons"'])
  expect([sources('title:x'), sources('node:fs'), sources('rust')]).toEqual([[], [], []])
  expect([wordBefore('a tag:"to re', 12), wordBefore('rust ', 5)]).toEqual(['tag:"to re', ''])
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

const rule = (text: string) => ruleOf({ text })?.query

test.for<[text: string, query: string]>([
  [' rust "borrow checker" ', 'rust "borrow checker"'],
  ['tag:work/client tag:"to read" site:a.example type:link', 'tag:work/client tag:"to read" site:a.example type:link'],
  ['is:broken', 'is:broken'],
  ['visibility:public', 'visibility:public'],
  ['rust is:untagged', 'is:untagged rust'],
  ['"half a phrase tag:a', '"half a phrase tag:a']
])('the text %j becomes the rule %s', ([text, query]) => {
  expect(rule(text)).toBe(query)
})

test.for([
  '',
  'type:link',
  'a organization:Acme',
  'a last:7d',
  'a after:2026-01-01',
  'a until:2026-01-01',
  'a is:opened',
  'tag:\'say "when"\''
])('the text %j becomes no rule: it has no filter, or one that rules do not have', (text) => {
  expect(rule(text)).toBeUndefined()
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
const command = (name: string) => ({ name, run: () => void opened.push(name) })
const bookmark = (id: string, title: string) =>
  ({ id, title, url: `https://${id}.example/`, domain: `${id}.example`, content: '' }) as ShownBookmark

const CONTENT: PaletteContent = {
  query: '',
  matches: [bookmark('b', 'Dark matter')],
  opened: [bookmark('r', 'Just read')],
  past: [bookmark('p', 'Old news')],
  searches: [{ id: 's1', name: 'Dark reading', address: '/?q=dark&tag=to-read' }],
  tags: [
    { name: 'darkroom', bookmarks: 1234 },
    { name: 'not dark', bookmarks: 2 },
    { name: 'food', bookmarks: 3 }
  ],
  organizations: [{ id: 'o1', name: 'Darkhold', bookmarks: 7 }],
  commands: {
    go: [command('Settings'), command('API keys')],
    do: [command('Dark theme'), command('Add a bookmark')],
    selection: [],
    list: []
  },
  go: (path) => void opened.push(path),
  open: (id) => void opened.push(`open ${id}`)
}

const groups = (query: string, content = CONTENT) =>
  paletteGroups({ ...content, query }).map(({ label, rows }) => [label, ...rows.map(({ name }) => name)])

test('the empty palette offers the bookmarks opened last, every command, and old bookmarks', () => {
  expect(groups(' ')).toEqual([
    ['Opened last', 'Just read'],
    ['Go to', 'Settings', 'API keys'],
    ['Do', 'Dark theme', 'Add a bookmark'],
    ['From your library', 'Old news']
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

test('a command is found by other words for it', () => {
  const commands = { ...CONTENT.commands, go: [{ ...command('Sync'), also: 'several machines' }] }
  expect(groups('machines', { ...CONTENT, commands })).toContainEqual(['Go to', 'Sync'])
})

test('each row opens what it shows', () => {
  const rows = paletteGroups({ ...CONTENT, query: 'dark' }).flatMap((group) => group.rows)
  for (const row of rows) row.run()
  expect(opened).toEqual([
    'Dark theme',
    'open b',
    '/?q=dark&tag=to-read',
    '/?q=tag:darkroom',
    '/?q=tag:%22not+dark%22',
    '/?q=organization:Darkhold',
    '/?q=dark'
  ])
  expect(rows.map(({ beside }) => beside)).toEqual([undefined, 'b.example', undefined, '1,234', '2', '7', undefined])
})

test('commands for the selection come before all other commands', () => {
  const selection = [command('Tag 3 selected'), command('Delete 3 selected')]
  const content = { ...CONTENT, commands: { ...CONTENT.commands, selection } }
  const labels = (query: string) => groups(query, content).map(([label]) => label)
  expect(labels('')).toEqual(['Selection', 'Opened last', 'Go to', 'Do', 'From your library'])
  expect(labels('tag')[0]).toBe('Selection')
  expect(labels('dark')).not.toContain('Selection')
})
