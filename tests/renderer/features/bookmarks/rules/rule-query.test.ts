import { expect, test } from 'vitest'
import { ruleFor, ruleOf } from '../../../../../src-renderer/features/bookmarks/rules/rule-query.ts'
import { ALL, type View } from '../../../../../src-renderer/features/bookmarks/search/view.ts'

const queryOf = (view: Partial<View>) => ruleOf({ ...ALL, ...view })?.query

test('a search becomes a query of the same words and filters', () => {
  expect(queryOf({ words: ' rust "borrow checker" ' })).toBe('rust "borrow checker"')
  expect(queryOf({ words: 'rust', tags: ['work/client', 'to read', '=a/'], domain: 'a.example', type: 'link' })).toBe(
    'tag:work/client tag:"to read" tag:=a/ site:a.example type:link rust'
  )
  expect(queryOf({ is: 'broken' })).toBe('is:broken')
  expect(queryOf({ words: 'rust', untagged: true })).toBe('is:untagged rust')
})

test('an open quote of the words swallows no filter', () => {
  expect(queryOf({ words: '"half a phrase', tags: ['a'] })).toBe('tag:a "half a phrase')
})

test('nothing is offered where nothing is held back, or the language cannot say it', () => {
  const views: Partial<View>[] = [
    {},
    { type: 'link' },
    { words: 'a', visibility: 'public' },
    { words: 'a', organization: 'Acme' },
    { words: 'a', days: 7 },
    { words: 'a', from: '2026-01-01' },
    { words: 'a', to: '2026-01-01' },
    { words: 'a', opened: true },
    { tags: ['say "when"'] }
  ]
  expect(views.map(queryOf)).toEqual(views.map(() => undefined))
})

test('a change of all that a search shows can be done always', () => {
  const query = { words: 'rust', tag: ['a'] }
  const list = { query, first: { total: 2, atLeast: false } }
  const all = { ids: ['x', 'y'] }
  const tagging = { kind: 'tags', add: ['crab'], remove: [] }
  expect(ruleFor(all, tagging, list)).toEqual({ query: 'tag:a rust', tags: ['crab'] })
  expect(ruleFor({ all: query, except: [] }, tagging, { query, first: undefined })).toBeDefined()
  const moving = { kind: 'move', visibility: 'organization' as const, organization: 'Acme' }
  expect(ruleFor(all, moving, list)).toEqual({ query: 'tag:a rust', visibility: 'organization', organization: 'Acme' })
  expect(ruleFor(all, { ...tagging, remove: ['a'] }, list)).toBeUndefined()
  expect(ruleFor(all, { kind: 'delete' }, list)).toBeUndefined()
  expect(ruleFor({ all: query, except: ['x'] }, tagging, list)).toBeUndefined()
  expect(ruleFor({ ids: ['x'] }, tagging, list)).toBeUndefined()
  expect(ruleFor(all, tagging, { query, first: { total: 2, atLeast: true } })).toBeUndefined()
  expect(ruleFor(all, tagging, { query: {}, first: list.first })).toBeUndefined()
})
