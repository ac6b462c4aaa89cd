import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { lazyWordLists } from '../../packaging/lazy-word-lists.ts'

test('the bundled lists of stop words are those of the package', () => {
  const file = fileURLToPath(import.meta.resolve('stopwords-iso/stopwords-iso.json'))
  const { code = '' } = lazyWordLists().load(file) ?? {}
  const lists = runInNewContext(code.replace('export default', 'lists ='), {})
  expect(JSON.parse(JSON.stringify(lists))).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  expect(lazyWordLists().load('/other.json')).toBeNull()
})
