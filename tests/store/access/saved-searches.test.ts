import { expect, test } from 'vitest'
import { MOST_SAVED_SEARCHES } from '../../../src-main/contract/rule.ts'
import { emptyLibrary } from '../library.ts'

const taken = expect.objectContaining({ name: 'Problem', code: 'taken' })
const tooMany = expect.objectContaining({ name: 'Problem', code: 'too-many' })

test('saved searches are listed by name, whatever its case', () => {
  const { saveSearch, listSavedSearches } = emptyLibrary()
  const rust = saveSearch('rust', '/?q=rust')
  const colors = saveSearch('Colors of a site', '/colors?domain=a.example')
  expect(listSavedSearches()).toEqual([colors, rust])
  expect(rust).toEqual({ id: expect.stringMatching(/^\w[\w-]{15}$/), name: 'rust', address: '/?q=rust' })
})

test('a name is given once, in any case', () => {
  const { saveSearch, renameSavedSearch, listSavedSearches } = emptyLibrary()
  const first = saveSearch('Ärzte', '/?q=a')
  const second = saveSearch('Other', '/?q=b')
  expect(() => saveSearch('ÄRZTE', '/?q=c')).toThrow(taken)
  expect(() => renameSavedSearch(second.id, 'ärzte')).toThrow(taken)
  expect(renameSavedSearch(first.id, 'ärzte')).toBe(true)
  expect(listSavedSearches()).toEqual([second, { ...first, name: 'ärzte' }])
})

test('a deleted one is put back as it was, unless its name was given away', () => {
  const { saveSearch, deleteSavedSearch, restoreSavedSearch, listSavedSearches } = emptyLibrary()
  const search = saveSearch('rust', '/?q=rust')
  expect(deleteSavedSearch(search.id)).toBe(true)
  expect(deleteSavedSearch(search.id)).toBe(false)
  expect(listSavedSearches()).toEqual([])
  restoreSavedSearch(search)
  expect(listSavedSearches()).toEqual([search])
  deleteSavedSearch(search.id)
  const other = saveSearch('Rust', '/?tag=rust')
  expect(() => restoreSavedSearch(search)).toThrow(taken)
  expect(listSavedSearches()).toEqual([other])
})

test('one that is not there is not renamed', () => {
  expect(emptyLibrary().renameSavedSearch('nobody', 'x')).toBe(false)
})

test('there are a hundred at most', () => {
  const { saveSearch, restoreSavedSearch, deleteSavedSearch, listSavedSearches } = emptyLibrary()
  const searches = Array.from({ length: MOST_SAVED_SEARCHES }, (_, at) => saveSearch(`search ${at}`, `/?q=${at}`))
  expect(() => saveSearch('one more', '/?q=more')).toThrow(tooMany)
  expect(() => restoreSavedSearch({ id: 'x'.repeat(16), name: 'one more', address: '/?q=more' })).toThrow(tooMany)
  deleteSavedSearch(searches[0]?.id ?? '')
  saveSearch('one more', '/?q=more')
  expect(listSavedSearches()).toHaveLength(MOST_SAVED_SEARCHES)
})
