import { expect, test } from 'vitest'
import { suggestTags } from '../../../../src-renderer/features/bookmarks/suggest-tags.ts'

const KNOWN = [
  { name: 'Google', bookmarks: 9 },
  { name: 'algorithms', bookmarks: 7 },
  { name: 'Go', bookmarks: 5 },
  { name: 'rust', bookmarks: 1 }
]
const names = (typed: string, taken: string[] = []) =>
  suggestTags(KNOWN, typed, taken).map(({ name, isNew }) => (isNew ? `Create ${name}` : name))

test.for([
  ['nothing', '', ['Google', 'algorithms', 'Go', 'rust']],
  ['a tag in another case', 'go', ['Go', 'Google', 'algorithms']],
  ['the beginning of one', ' #goo ', ['Create goo', 'Google']],
  ['what no tag holds', 'zig', ['Create zig']],
  ['only a mark', '#', ['Google', 'algorithms', 'Go', 'rust']]
] as const)('%s is typed', ([, typed, offered]) => {
  expect(names(typed)).toEqual(offered)
})

test('what the bookmark has is offered neither again nor anew', () => {
  expect(names('go', ['GO'])).toEqual(['Google', 'algorithms'])
})

test('they are twenty at most, the new one among them', () => {
  const known = Array.from({ length: 50 }, (_, at) => ({ name: `tag-${at}`, bookmarks: 1 }))
  const offered = suggestTags(known, 'tag', [])
  expect(offered).toHaveLength(20)
  expect(offered[0]).toMatchObject({ name: 'tag', isNew: true })
})
