import { expect, test } from 'vitest'
import { MOST_RULES } from '../../../src-main/contract/rule.ts'
import { emptyLibrary } from '../library.ts'

const DAY_MS = 86_400_000

const tooMany = expect.objectContaining({ name: 'Problem', code: 'too-many' })
const notFound = expect.objectContaining({ name: 'Problem', code: 'not-found' })

const tagging = (query: string) => ({ query, tags: ['new'], place: undefined })

test('rules are listed in the order in which they were made, with all that they do', () => {
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

test('a rule is changed as a whole; one that is not there is not', () => {
  const { saveRule, changeRule, listRules } = emptyLibrary()
  const { id } = saveRule({ query: 'a', tags: ['x'], place: { visibility: 'public', owner: null } })
  expect(changeRule(id, tagging('b'))).toBe(true)
  expect(listRules()).toMatchObject([{ id, query: 'b', tags: ['new'], visibility: null }])
  expect(changeRule('nobody', tagging('b'))).toBe(false)
})

test('a rule that names a deleted organization says so, until the organization is back', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  const place = { visibility: 'organization' as const, owner }
  library.saveRule({ query: 'a', tags: [], place })
  library.deleteOrganizationSome(owner, 'profile', 2)
  expect(library.listRules()).toMatchObject([{ organization: { name: 'Acme', isGone: true } }])
  expect(() => library.saveRule({ query: 'b', tags: [], place })).toThrow(notFound)
  const { id } = library.saveRule(tagging('b'))
  expect(() => library.changeRule(id, { query: 'b', tags: [], place })).toThrow(notFound)
  library.db.prepare('UPDATE organizations SET deleted_at = NULL').run()
  expect(library.listRules()[0]).toMatchObject({ organization: { name: 'Acme', isGone: false } })
})

test('a deleted rule is brought back as it was for a day', () => {
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

test('there are a hundred at most', () => {
  const { saveRule, deleteRule, restoreRule, listRules } = emptyLibrary()
  const rules = Array.from({ length: MOST_RULES }, (_, at) => saveRule(tagging(`word${at}`)))
  expect(() => saveRule(tagging('more'))).toThrow(tooMany)
  const first = rules[0]?.id ?? ''
  deleteRule(first, 1)
  saveRule(tagging('more'))
  expect(() => restoreRule(first)).toThrow(tooMany)
  expect(listRules()).toHaveLength(MOST_RULES)
})
