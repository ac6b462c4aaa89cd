import { expect, test } from 'vitest'
import { changesOf, pickedTags, turned, type Wanted } from '../../../../src-renderer/features/bookmarks/picked-tags.ts'

const selection = {
  total: 10,
  tags: [
    { name: 'css', bookmarks: 10 },
    { name: 'Web', bookmarks: 3 }
  ]
}
const others = [
  { name: 'rust', bookmarks: 400 },
  { name: 'css', bookmarks: 80 }
]
const none: Wanted = new Map()
const named = (wanted: Wanted, typed = '') =>
  pickedTags(selection, others, wanted, typed).map(({ name, becomes }) => [name, becomes])

/** Turns a tag so many times. */
function turn(name: string, times: number, typed = ''): Wanted {
  let wanted = none
  for (let turns = 0; turns < times; turns += 1) {
    const tag = pickedTags(selection, others, wanted, typed).find((one) => one.name === name)
    if (!tag) throw new Error(`no ${name}`)
    wanted = turned(wanted, tag)
  }
  return wanted
}

test('tags of the selection come first and say whether all have them; each tag is there once', () => {
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
] as const)('%s turns to %j, and then to how it was', ([name, states]) => {
  for (const [at, becomes] of states.entries()) expect(named(turn(name, at + 1))).toContainEqual([name, becomes])
  expect(turn(name, states.length).size).toBe(0)
})

test('only what differs is asked for', () => {
  const wanted = new Map([...turn('css', 1), ...turn('Web', 1), ...turn('rust', 2)])
  expect(changesOf(wanted)).toEqual({ add: ['Web'], remove: ['css'] })
})

test('what is typed finds tags in any case, and can become one', () => {
  expect(named(none, 'WEB')).toEqual([['Web', 'some']])
  expect(named(none, '#new ')).toEqual([['new', 'none']])
  const wanted = turn('new', 1, 'new')
  expect(changesOf(wanted)).toEqual({ add: ['new'], remove: [] })
  expect(named(wanted)).toContainEqual(['new', 'all'])
})
