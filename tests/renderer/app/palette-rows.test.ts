import { expect, test } from 'vitest'
import type { Commands } from '../../../src-renderer/app/palette/commands.ts'
import { type PaletteContent, paletteGroups } from '../../../src-renderer/app/palette/palette-rows.ts'
import type { ShownBookmark } from '../../../src-renderer/shared/bookmark-data.ts'

const gone: string[] = []
const icon = (() => null) as unknown as Commands['go'][number]['icon']
const command = (name: string) => ({ name, icon, run: () => void gone.push(name) })

const CONTENT: PaletteContent = {
  query: '',
  found: [
    { id: 'b1', title: 'Dark matter', url: 'https://a.example/', domain: 'a.example', content: '' } as ShownBookmark
  ],
  opened: [
    { id: 'r1', title: 'Just read', url: 'https://r.example/', domain: 'r.example', content: '' } as ShownBookmark
  ],
  past: [{ id: 'p1', title: 'Old news', url: 'https://p.example/', domain: 'p.example', content: '' } as ShownBookmark],
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
  go: (path) => void gone.push(path),
  open: (id) => void gone.push(`open ${id}`)
}

const texts = (query: string) =>
  paletteGroups({ ...CONTENT, query }).map(({ label, rows }) => [label, ...rows.map((row) => row.label)])

test('before anything is typed it offers what was opened last, every command, and some bookmarks from before', () => {
  expect(texts(' ')).toEqual([
    ['Opened last', 'Just read'],
    ['Go to', 'Settings', 'API keys'],
    ['Do', 'Dark theme', 'Add a bookmark'],
    ['From before', 'Old news']
  ])
})

test('a command whose name starts with the text comes first, and the search for all of it last', () => {
  expect(texts('dark')).toEqual([
    ['Do', 'Dark theme'],
    ['Bookmarks', 'Dark matter'],
    ['Saved searches', 'Dark reading'],
    ['Tags', 'darkroom', 'not dark'],
    ['Organizations', 'Darkhold'],
    ['Search', 'Search all for “dark”']
  ])
})

test('where no command starts with it, bookmarks come first', () => {
  expect(texts('theme').map(([label]) => label)).toEqual(['Bookmarks', 'Do', 'Search'])
})

test('each row leads to what it names', () => {
  const rows = paletteGroups({ ...CONTENT, query: 'dark' }).flatMap((group) => group.rows)
  for (const row of rows) row.run()
  expect(gone).toEqual([
    'Dark theme',
    'open b1',
    '/?q=dark&tag=to-read',
    '/?tag=darkroom',
    '/?tag=not+dark',
    '/?organization=o1',
    '/?q=dark'
  ])
  expect(rows.map(({ beside }) => beside)).toEqual([undefined, 'a.example', undefined, '1,234', '2', '7', undefined])
})

test('what can be done with a selection comes before all other commands', () => {
  const selection = [command('Tag 3 selected'), command('Delete 3 selected')]
  const labels = (query: string) => paletteGroups({ ...CONTENT, selection, query }).map(({ label }) => label)
  expect(labels('')).toEqual(['Selection', 'Opened last', 'Go to', 'Do', 'From before'])
  expect(labels('tag')[0]).toBe('Selection')
  expect(labels('dark')).not.toContain('Selection')
})
