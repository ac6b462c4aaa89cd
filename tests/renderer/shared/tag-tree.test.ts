import { expect, test } from 'vitest'
import { rowsOfTree, tagTree } from '../../../src-renderer/shared/tag-tree.ts'

test('tags stand below what they belong to, most used first, whether it is a tag or not and however it is spelled', () => {
  const counted = (names: Record<string, number>) =>
    Object.entries(names).map(([name, bookmarks]) => ({ name, bookmarks }))
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
