// Names of tags: matching, the tree, suggestions, and the tags of a selection.

import { expect, test } from 'vitest'
import { tagsThatFit } from '../../src-renderer/features/bookmarks/list/excerpts.ts'
import {
  changesOf,
  cycleTag,
  listPickedTags,
  suggestTags,
  type TagChanges
} from '../../src-renderer/features/bookmarks/suggest-tags.ts'
import { foldName, matchNames, matchTags } from '../../src-renderer/lib/match-names.ts'
import { rowsOfTree, tagTree } from '../../src-renderer/lib/tag-tree.ts'

const counted = (names: Record<string, number>) =>
  Object.entries(names).map(([name, bookmarks]) => ({ name, bookmarks }))

test.for([
  ['RUST', ['rust', 'RustConf', 'Trust']],
  ['ｇｏ', ['go']],
  ['', ['Trust', 'rust', 'go', 'RustConf']]
] as const)('“%s” matches %j: beginnings first, then other parts', ([typed, matches]) => {
  const tags = ['Trust', 'rust', 'go', 'RustConf'].map((name) => ({ name }))
  expect(matchNames(tags, typed).map(({ name }) => name)).toEqual(matches)
})

test.for([
  ['work', ['work', 'workshop', 'home/work', 'later/work', 'framework']],
  ['#work', ['work', 'workshop', 'home/work', 'later/work', 'framework']],
  ['later', ['later/work', 'read later']],
  ['work later', ['later/work']],
  ['play', []]
] as const)('the typed tag “%s” matches %j: beginnings of names and parts, then all words', ([typed, matches]) => {
  const names = ['framework', 'read later', 'workshop', 'home/work', 'work', 'later/work']
  const tags = names.map((name) => ({ name }))
  expect(matchTags(tags, typed).map(({ name }) => name)).toEqual(matches)
})

test('case and the encoding of accents make no difference to a name, accents do', () => {
  expect(foldName('CAFE\u0301')).toBe(foldName('caf\u00e9'))
  expect(foldName('cafe')).not.toBe(foldName('café'))
})

test('the tree has tags below their parents, most used first, in any case', () => {
  const tags = counted({ Work: 1, 'work/b': 1, 'work/a/x': 2, 'only/one': 1, '/odd': 1, 'odd/': 1, last: 9 })
  const tree = tagTree(tags, counted({ Work: 4, 'work/a': 2, only: 1, odd: 1 }))
  const rows = rowsOfTree(tree, (name) => name !== 'only')
  expect(rows.map(({ depth, label, bookmarks, isTag }) => [depth, label, bookmarks, isTag])).toEqual([
    [0, 'last', 9, true],
    [0, 'Work', 4, true],
    [1, 'a', 2, false],
    [2, 'x', 2, true],
    [1, 'b', 1, true],
    [0, 'odd', 1, true],
    [0, 'odd', 1, false],
    [1, 'odd/', 1, true],
    [0, 'only', 1, false]
  ])
})

test.for([
  ['', [], ['Google', 'algorithms', 'Go', 'rust']],
  ['go', [], ['Go', 'Google', 'algorithms']],
  [' #goo ', [], ['Create goo', 'Google']],
  ['zig', [], ['Create zig']],
  ['#', [], ['Google', 'algorithms', 'Go', 'rust']],
  ['go', ['GO'], ['Google', 'algorithms']]
] as const)('“%s” on a bookmark with the tags %j suggests %j', ([typed, taken, suggested]) => {
  const tags = counted({ Google: 9, algorithms: 7, Go: 5, rust: 1 })
  const names = suggestTags(tags, typed, [...taken]).map(({ name, isNew }) => (isNew ? `Create ${name}` : name))
  expect(names).toEqual(suggested)
})

test('at most twenty tags are suggested, including the new tag', () => {
  const tags = Array.from({ length: 50 }, (_, index) => ({ name: `tag-${index}`, bookmarks: 1 }))
  const suggested = suggestTags(tags, 'tag', [])
  expect(suggested).toHaveLength(20)
  expect(suggested[0]).toMatchObject({ name: 'tag', isNew: true })
})

const selection = { total: 10, tags: counted({ css: 10, Web: 3 }) }
const others = counted({ rust: 400, css: 80 })
const none: TagChanges = new Map()
const named = (wanted: TagChanges, typed = '') =>
  listPickedTags(selection, others, wanted, typed).map(({ name, becomes }) => [name, becomes])

function turn(name: string, times: number, typed = ''): TagChanges {
  let wanted = none
  for (let turns = 0; turns < times; turns += 1) {
    const tag = listPickedTags(selection, others, wanted, typed).find((picked) => picked.name === name)
    if (!tag) throw new Error(`no ${name}`)
    wanted = cycleTag(wanted, tag)
  }
  return wanted
}

test('tags of the selection come first, marked as on all or on some; each tag is listed once', () => {
  expect(named(none)).toEqual([
    ['css', 'all'],
    ['Web', 'some'],
    ['rust', 'none']
  ])
})

test.for([
  ['css', ['none', 'all']],
  ['Web', ['all', 'none', 'some']],
  ['rust', ['all', 'none']]
] as const)('clicks on %s turn it to %j, back to its first state', ([name, states]) => {
  for (const [index, becomes] of states.entries()) expect(named(turn(name, index + 1))).toContainEqual([name, becomes])
  expect(turn(name, states.length).size).toBe(0)
})

test('only changed tags are sent', () => {
  const wanted = new Map([...turn('css', 1), ...turn('Web', 1), ...turn('rust', 2)])
  expect(changesOf(wanted)).toEqual({ add: ['Web'], remove: ['css'] })
})

test('a typed name finds tags in any case, and can become a new tag', () => {
  expect(named(none, 'WEB')).toEqual([['Web', 'some']])
  expect(named(none, '#new ')).toEqual([['new', 'none']])
  const wanted = turn('new', 1, 'new')
  expect(changesOf(wanted)).toEqual({ add: ['new'], remove: [] })
  expect(named(wanted)).toContainEqual(['new', 'all'])
})

test.for([
  [['tools', 'css', 'web'], 30, 3],
  [['tools', 'css', 'web'], 15, 2],
  [['recommendations', 'css'], 15, 0],
  [['css'], -1, 0],
  [[], -1, 0],
  // A long tag is shortened, so that the next tag fits too.
  [['x'.repeat(80), 'css'], 25, 2]
] as const)('of the tags %j in %d characters, the first %d fit', ([tags, room, count]) => {
  expect(tagsThatFit([...tags], room).map(({ tag }) => tag)).toEqual(tags.slice(0, count))
})

test.for([
  [
    ['dev/web', 'css'],
    24,
    [
      ['web', 'dev'],
      ['css', '']
    ]
  ],
  [
    ['dev/web/css', 'a/b'],
    15,
    [
      ['css', ''],
      ['b', 'a']
    ]
  ],
  [['programming-languages/rust'], 8, [['rust', '']]]
] as const)(
  'of the tags %j in %d characters, the last parts come first and parents fill the rest',
  ([tags, room, shown]) => {
    expect(tagsThatFit([...tags], room).map(({ leaf, parents }) => [leaf, parents])).toEqual(shown)
  }
)
