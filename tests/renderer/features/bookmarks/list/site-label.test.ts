import { expect, test } from 'vitest'
import { repositoryOf } from '../../../../../src-renderer/features/bookmarks/list/site-label.ts'

test.for([
  ['https://github.com/vitejs/vite', 'vitejs/vite'],
  ['https://www.github.com/vitejs/vite.git', 'vitejs/vite'],
  ['https://gitlab.com/a/b/-/issues/3?x=1', 'a/b'],
  ['https://github.com/vitejs', undefined],
  ['https://github.com/topics/rust', undefined],
  ['https://example.com/a/b', undefined],
  ['not an address', undefined],
  [null, undefined]
] as const)('%s is in %s', ([url, repository]) => {
  expect(repositoryOf(url)).toBe(repository)
})
