import { expect, test } from 'vitest'
import { MAX_RULES, MAX_SAVED_SEARCHES } from '../../../src-main/contract/rule.ts'
import { emptyLibrary } from '../library.ts'

const DAY_MS = 86_400_000

const tooMany = expect.objectContaining({ name: 'Problem', code: 'too-many' })
const taken = expect.objectContaining({ name: 'Problem', code: 'taken' })
const notFound = expect.objectContaining({ name: 'Problem', code: 'not-found' })

const tagging = (query: string) => ({ query, tags: ['new'], place: undefined })

test('rules are listed in the order they were made, with what they do', () => {
  const { saveRule, listRules, createOrganization } = emptyLibrary()
  const { id, rowId } = createOrganization('Acme', 1)
  const place = { visibility: 'organization' as const, owner: rowId }
  const first = saveRule({ query: 'site:acme.example', tags: ['work', 'acme'], place })
  const second = saveRule({ query: 'secret', tags: [], place: { visibility: 'private', owner: null } })
  expect(listRules()).toEqual([first, second])
  expect(first).toEqual({
    id: expect.stringMatching(/^\w[\w-]{15}$/),
    query: 'site:acme.example',
    tags: ['work', 'acme'],
    visibility: 'organization',
    organization: { id, name: 'Acme', isGone: false },
    matched: 0,
    matchedAt: null
  })
  expect(second).toMatchObject({ tags: [], visibility: 'private', organization: null })
})

test('a rule is changed as a whole, and an unknown rule is not changed', () => {
  const { saveRule, changeRule, listRules } = emptyLibrary()
  const { id } = saveRule({ query: 'a', tags: ['x'], place: { visibility: 'public', owner: null } })
  expect(changeRule(id, tagging('b'))).toBe(true)
  expect(listRules()).toMatchObject([{ id, query: 'b', tags: ['new'], visibility: null }])
  expect(changeRule('nobody', tagging('b'))).toBe(false)
})

test('a rule shows that its organization is deleted, until the organization is restored', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  const place = { visibility: 'organization' as const, owner }
  library.saveRule({ query: 'a', tags: [], place })
  library.deleteOrganizationBatch(owner, 'profile', 2)
  expect(library.listRules()).toMatchObject([{ organization: { name: 'Acme', isGone: true } }])
  expect(() => library.saveRule({ query: 'b', tags: [], place })).toThrow(notFound)
  const { id } = library.saveRule(tagging('b'))
  expect(() => library.changeRule(id, { query: 'b', tags: [], place })).toThrow(notFound)
  library.db.prepare('UPDATE organizations SET deleted_at = NULL').run()
  expect(library.listRules()[0]).toMatchObject({ organization: { name: 'Acme', isGone: false } })
})

test('a deleted rule can be restored for a day', () => {
  const { saveRule, deleteRule, restoreRule, listRules } = emptyLibrary()
  const rule = saveRule(tagging('a'))
  expect(restoreRule(rule.id)).toBe(false)
  expect(deleteRule(rule.id, 0)).toBe(true)
  expect(deleteRule(rule.id, 0)).toBe(false)
  expect(listRules()).toEqual([])
  expect(restoreRule(rule.id)).toBe(true)
  expect(listRules()).toEqual([rule])
  deleteRule(rule.id, 0)
  deleteRule(saveRule(tagging('b')).id, DAY_MS + 1)
  expect(restoreRule(rule.id)).toBe(false)
})

test('a library has at most a hundred rules', () => {
  const { saveRule, deleteRule, restoreRule, listRules } = emptyLibrary()
  const rules = Array.from({ length: MAX_RULES }, (_, index) => saveRule(tagging(`word${index}`)))
  expect(() => saveRule(tagging('more'))).toThrow(tooMany)
  const first = rules[0]?.id ?? ''
  deleteRule(first, 1)
  saveRule(tagging('more'))
  expect(() => restoreRule(first)).toThrow(tooMany)
  expect(listRules()).toHaveLength(MAX_RULES)
})

test('saved searches are listed by name, in any case', () => {
  const { saveSearch, listSavedSearches } = emptyLibrary()
  const rust = saveSearch('rust', '/?q=rust')
  const colors = saveSearch('Colors of a site', '/colors?domain=a.example')
  expect(listSavedSearches()).toEqual([colors, rust])
  expect(rust).toEqual({ id: expect.stringMatching(/^\w[\w-]{15}$/), name: 'rust', address: '/?q=rust' })
})

test('the name of a saved search is unique, in any case', () => {
  const { saveSearch, changeSavedSearch, listSavedSearches } = emptyLibrary()
  const first = saveSearch('Ärzte', '/?q=a')
  const second = saveSearch('Other', '/?q=b')
  expect(() => saveSearch('ÄRZTE', '/?q=c')).toThrow(taken)
  expect(() => changeSavedSearch(second.id, { name: 'ärzte' })).toThrow(taken)
  expect(changeSavedSearch(first.id, { name: 'ärzte' })).toBe(true)
  expect(changeSavedSearch('nobody', { name: 'x' })).toBe(false)
  expect(listSavedSearches()).toEqual([second, { ...first, name: 'ärzte' }])
})

test('a deleted search is restored as it was, unless its name is taken', () => {
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

test('a library has at most a hundred saved searches', () => {
  const { saveSearch, restoreSavedSearch, deleteSavedSearch, listSavedSearches } = emptyLibrary()
  const searches = Array.from({ length: MAX_SAVED_SEARCHES }, (_, index) =>
    saveSearch(`search ${index}`, `/?q=${index}`)
  )
  expect(() => saveSearch('one more', '/?q=more')).toThrow(tooMany)
  expect(() => restoreSavedSearch({ id: 'x'.repeat(16), name: 'one more', address: '/?q=more' })).toThrow(tooMany)
  deleteSavedSearch(searches[0]?.id ?? '')
  saveSearch('one more', '/?q=more')
  expect(listSavedSearches()).toHaveLength(MAX_SAVED_SEARCHES)
})
