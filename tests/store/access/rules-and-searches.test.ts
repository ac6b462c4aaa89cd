import { expect, test } from 'vitest'
import { MAX_RULES, MAX_SAVED_SEARCHES } from '../../../src-main/contract/rule.ts'
import { readValue } from '../../../src-main/database/sql.ts'
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
    copy: false,
    matched: 0,
    matchedAt: null
  })
  expect(second).toMatchObject({ tags: [], visibility: 'private', organization: null })
})

test('a rule is changed as a whole, and an unknown rule is not changed', () => {
  const { saveRule, changeRule, listRules } = emptyLibrary()
  const { id } = saveRule({ query: 'a', tags: ['x'], place: { visibility: 'public', owner: null } })
  expect(changeRule(id, tagging('b'))).toEqual(expect.any(Number))
  expect(listRules()).toMatchObject([{ id, query: 'b', tags: ['new'], visibility: null }])
  expect(changeRule('nobody', tagging('b'))).toBeUndefined()
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
  const { saveRule, changeRule, deleteRule, listRules, undoStep } = emptyLibrary()
  const rule = saveRule(tagging('a'))
  const deletion = deleteRule(rule.id, 0) ?? 0
  expect(deleteRule(rule.id, 0)).toBeUndefined()
  expect(changeRule(rule.id, tagging('b'))).toBeUndefined()
  expect(listRules()).toEqual([])
  undoStep(deletion)
  expect(listRules()).toEqual([rule])
  const later = deleteRule(rule.id, 0) ?? 0
  const other = saveRule(tagging('b'))
  deleteRule(other.id, DAY_MS + 1)
  undoStep(later)
  expect(listRules()).toEqual([])
})

test('a library has at most a hundred rules, also after an undo', () => {
  const { saveRule, deleteRule, listRules, undoStep } = emptyLibrary()
  const rules = Array.from({ length: MAX_RULES }, (_, index) => saveRule(tagging(`word${index}`)))
  expect(() => saveRule(tagging('more'))).toThrow(tooMany)
  const deletion = deleteRule(rules[0]?.id ?? '', 1) ?? 0
  saveRule(tagging('more'))
  expect(() => undoStep(deletion)).toThrow(tooMany)
  expect(listRules()).toHaveLength(MAX_RULES)
})

test('a refused change of a rule or a search leaves no undo step', () => {
  const library = emptyLibrary()
  const place = { visibility: 'organization' as const, owner: 7 }
  const { id } = library.saveRule(tagging('a'))
  const search = library.saveSearch('Work', '/?q=a')
  library.saveSearch('Later', '/?q=b')
  const steps = () => readValue<number>(library.db, 'SELECT count(*) FROM undo_steps')
  const before = steps()
  expect(() => library.saveRule({ query: 'b', tags: [], place })).toThrow(notFound)
  expect(() => library.changeRule(id, { query: 'b', tags: [], place })).toThrow(notFound)
  expect(() => library.saveSearch('work', '/?q=c')).toThrow(taken)
  expect(() => library.renameSavedSearch(search.id, 'later')).toThrow(taken)
  expect(steps()).toBe(before)
})

test('saved searches are listed by name, in any case', () => {
  const { saveSearch, listSavedSearches } = emptyLibrary()
  const rust = saveSearch('rust', '/?q=rust')
  const colors = saveSearch('Colors of a site', '/colors?domain=a.example')
  expect(listSavedSearches()).toEqual([colors, rust])
  expect(rust).toEqual({ id: expect.stringMatching(/^\w[\w-]{15}$/), name: 'rust', address: '/?q=rust' })
})

test('the name of a saved search is unique, in any case', () => {
  const { saveSearch, renameSavedSearch, listSavedSearches } = emptyLibrary()
  const first = saveSearch('Ärzte', '/?q=a')
  const second = saveSearch('Other', '/?q=b')
  expect(() => saveSearch('ÄRZTE', '/?q=c')).toThrow(taken)
  expect(() => renameSavedSearch(second.id, 'ärzte')).toThrow(taken)
  expect(renameSavedSearch(first.id, 'ärzte')).toEqual(expect.any(Number))
  expect(renameSavedSearch('nobody', 'x')).toBeUndefined()
  expect(listSavedSearches()).toEqual([second, { ...first, name: 'ärzte' }])
})

test('a deleted search is restored as it was, unless its name is taken', () => {
  const { saveSearch, deleteSavedSearch, listSavedSearches, undoStep } = emptyLibrary()
  const search = saveSearch('rust', '/?q=rust')
  const deletion = deleteSavedSearch(search.id) ?? 0
  expect(deleteSavedSearch(search.id)).toBeUndefined()
  expect(listSavedSearches()).toEqual([])
  undoStep(deletion)
  expect(listSavedSearches()).toEqual([search])
  const later = deleteSavedSearch(search.id) ?? 0
  const other = saveSearch('Rust', '/?tag=rust')
  expect(() => undoStep(later)).toThrow(taken)
  expect(listSavedSearches()).toEqual([other])
})

test('a library has at most a hundred saved searches, also after an undo', () => {
  const { saveSearch, renameSavedSearch, deleteSavedSearch, listSavedSearches, undoStep } = emptyLibrary()
  const searches = Array.from({ length: MAX_SAVED_SEARCHES }, (_, index) =>
    saveSearch(`search ${index}`, `/?q=${index}`)
  )
  expect(() => saveSearch('one more', '/?q=more')).toThrow(tooMany)
  renameSavedSearch(searches[1]?.id ?? '', 'renamed')
  const deletion = deleteSavedSearch(searches[0]?.id ?? '') ?? 0
  saveSearch('one more', '/?q=more')
  expect(() => undoStep(deletion)).toThrow(tooMany)
  expect(listSavedSearches()).toHaveLength(MAX_SAVED_SEARCHES)
})
