import { expect, test } from 'vitest'
import { HIGHLIGHT_LIMITS } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { HighlightRequest } from '../../../src-main/contract/highlight.ts'
import type { ImportedHighlight } from '../../../src-main/contract/library-export.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { indexFaults } from '../../../src-main/search/sql/search-index.ts'
import {
  emptyLibrary,
  imported,
  link,
  PRIVATE,
  PUBLIC,
  settle,
  type TestLibrary,
  titles,
  undoneWith,
  within
} from '../library.ts'

const marked = (quote: string, more: Partial<HighlightRequest> = {}) => HighlightRequest.parse({ quote, ...more })

function save(library: TestLibrary, url = 'https://a.example/', placement = PRIVATE): string {
  return library.saveBookmarks(placement, [link(url, { title: url })])[0]?.id ?? ''
}

const quotesOf = (library: TestLibrary, id: string) =>
  (library.readHighlights([id]).get(id) ?? []).map(({ quote, note }) => [quote, note])

test('highlights are kept in the order of the text, and change and go by their ids', () => {
  const library = emptyLibrary()
  const id = save(library)
  library.saveHighlight(id, { ...marked('second', { start: 20 }), id: 'b' }, 2000)
  library.saveHighlight(id, { ...marked('without a place'), id: 'a' }, 2001)
  library.saveHighlight(id, { ...marked('first', { start: 0 }), id: 'c' }, 2002)
  expect(quotesOf(library, id).map(([quote]) => quote)).toEqual(['first', 'second', 'without a place'])
  const { highlight } = library.saveHighlight(id, { ...marked('second', { start: 20, note: 'why' }), id: 'b' }, 3000)
  expect(highlight).toMatchObject({ note: 'why', createdAt: 2000 })
  library.deleteHighlight(id, 'c', 3001)
  expect(quotesOf(library, id)).toEqual([
    ['second', 'why'],
    ['without a place', '']
  ])
})

test('each change of a highlight is undone and redone', () => {
  const library = emptyLibrary()
  const id = save(library)
  const first = library.saveHighlight(id, { ...marked('one'), id: 'a' }, 2000)
  const second = library.saveHighlight(id, { ...marked('one', { note: 'more' }), id: 'a' }, 2001)
  const gone = library.deleteHighlight(id, 'a', 2002)
  expect(library.saveHighlight(id, { ...marked('two'), id: 'b' }, 2003).undo).not.toBeNull()
  expect(library.saveHighlight(id, { ...marked('two'), id: 'b' }, 2004).undo).toBeNull()
  const step = (answer: { undo: number | null }) => ({ step: answer.undo ?? 0 })
  expect(library.undo(step(gone), 3000)).toEqual({ undone: 0, kept: 1 })
  library.deleteHighlight(id, 'b', 2005)
  library.saveHighlight(id, { ...marked('one'), id: 'a' }, 4000)
  const last = library.deleteHighlight(id, 'a', 4001)
  const undone = undoneWith(library.undoBatch, step(last))
  expect(quotesOf(library, id)).toEqual([['one', '']])
  undoneWith(library.undoBatch, { step: undone?.redo ?? 0 })
  expect(quotesOf(library, id)).toEqual([])
  expect(second.undo).not.toBe(first.undo)
})

test('a bookmark that is missing or in the trash gets none, nor one more than the limit', () => {
  const library = emptyLibrary()
  const id = save(library)
  expect(() => library.saveHighlight('none', { ...marked('x'), id: 'a' }, 1)).toThrow('no such bookmark')
  expect(() => library.deleteHighlight(id, 'a', 1)).toThrow('no such highlight')
  const insert = library.db.prepare('INSERT INTO highlights SELECT id, ?, ? FROM bookmarks')
  for (let index = 0; index < HIGHLIGHT_LIMITS.highlights; index++) {
    insert.run(`h${index}`, JSON.stringify({ ...marked(`${index}`), createdAt: 1 }))
  }
  expect(() => library.saveHighlight(id, { ...marked('x'), id: 'a' }, 1)).toThrow('at most 1000')
  library.changeBookmarks([id], { kind: 'delete' }, 2000)
  expect(() => library.saveHighlight(id, { ...marked('x'), id: 'h1' }, 1)).toThrow('outside the trash')
  library.changeBookmarks([id], { kind: 'purge' }, 2001)
  expect(library.db.prepare('SELECT count(*) FROM highlights').pluck().get()).toBe(0)
})

test('is:highlighted finds them for the owner, and nothing for an organization', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Acme', 1)
  const ids = [
    save(library),
    save(library, 'https://b.example/', PUBLIC),
    save(library, 'https://c.example/', within(rowId))
  ]
  for (const id of ids) library.saveHighlight(id, { ...marked('wombat', { note: 'quokka' }), id: 'a' }, 2000)
  save(library, 'https://d.example/')
  expect(titles(library, { words: 'is:highlighted' })).toHaveLength(3)
  expect(titles(library, { words: '-is:highlighted' })).toEqual(['https://d.example/'])
  const caller = { ...PROFILE, owner: rowId }
  expect(titles(library, { words: 'is:highlighted' }, caller)).toEqual([])
  expect(titles(library, {}, caller)).toHaveLength(2)
  library.deleteHighlight(ids[0] ?? '', 'a', 3000)
  expect(titles(library, { words: 'is:highlighted' })).toHaveLength(2)
  expect(indexFaults(library.db)).toEqual([])
})

test('words of quotes and notes are found while the bookmark is private', () => {
  const library = emptyLibrary()
  const id = save(library)
  library.saveHighlight(id, { ...marked('a wombat', { note: 'my quokka' }), id: 'a' }, 2000)
  expect(titles(library, { words: 'wombat' })).toHaveLength(1)
  expect(titles(library, { words: 'quokka' })).toHaveLength(1)
  expect(library.readPageTexts([id]).get(id)).toBe('my quokka\na wombat')
  library.changeBookmarks([id], { kind: 'move', place: { owner: null, visibility: 'public' } }, 3000)
  expect(titles(library, { words: 'quokka' })).toEqual([])
  expect(library.readPageTexts([id]).size).toBe(0)
  expect(indexFaults(library.db)).toEqual([])
})

test('merged duplicates have the highlights of all, and the place of reading', () => {
  const library = emptyLibrary()
  const [keep, other] = [save(library), save(library, 'https://www.a.example/')] as [string, string]
  library.saveHighlight(keep, { ...marked('same'), id: 'a' }, 2000)
  library.saveHighlight(other, { ...marked('same'), id: 'b' }, 2001)
  library.saveHighlight(other, { ...marked('other'), id: 'c' }, 2002)
  library.saveReadingPlace(other, { block: 3, share: 0.5 })
  const { undo } = library.mergeDuplicates([{ keep, others: [other] }], 3000)
  expect(quotesOf(library, keep).map(([quote]) => quote)).toEqual(['same', 'other'])
  expect(library.readReadingPlace(keep)).toEqual({ block: 3, share: 0.5 })
  library.undo({ step: undo ?? 0 }, 4000)
  expect(quotesOf(library, keep).map(([quote]) => quote)).toEqual(['same'])
  expect(library.readReadingPlace(keep)).toBeNull()
})

test('all are listed, newest first, by color and by words of quote, note and title', () => {
  const library = emptyLibrary()
  const [one, two] = [save(library), save(library, 'https://b.example/')] as [string, string]
  library.saveHighlight(one, { ...marked('Café'), id: 'a' }, 2000)
  library.saveHighlight(two, { ...marked('tea', { color: 'blue', note: 'Assam' }), id: 'a' }, 2001)
  const list = (more: object = {}) =>
    library.listHighlights({ words: '', page: 1, limit: 10, ...more }).highlights.map(({ quote }) => quote)
  expect(list()).toEqual(['tea', 'Café'])
  expect(list({ color: 'blue' })).toEqual(['tea'])
  expect(list({ words: 'CAFÉ' })).toEqual(['Café'])
  expect(list({ words: 'assam' })).toEqual(['tea'])
  expect(list({ words: 'b.example' })).toEqual(['tea'])
  expect(library.listHighlights({ words: '', page: 2, limit: 1 })).toMatchObject({
    total: 2,
    highlights: [{ quote: 'Café', bookmark: { id: one, url: 'https://a.example/', hasText: false } }]
  })
  library.changeBookmarks([two], { kind: 'delete' }, 3000)
  expect(list()).toEqual(['Café'])
})

function importing(library: TestLibrary, highlights: ImportedHighlight[], at: number, url = 'https://a.example/') {
  const id = library.beginImport(at)
  const draft = { ...imported(link(url, { title: url }), { ...PRIVATE, savedAt: at }), highlights }
  return { id, statuses: library.importBookmarks(id, [packDrafts([draft])]) }
}

const given = (quote: string) => ({ ...marked(quote), createdAt: 500 })

test('an import adds highlights to a bookmark that was there, once, until it is undone', () => {
  const library = emptyLibrary()
  const id = save(library)
  library.saveHighlight(id, { ...marked('mine'), id: 'a' }, 1500)
  const { id: first, statuses } = importing(library, [given('theirs'), given('mine')], 2000)
  expect(statuses).toEqual(['highlighted'])
  expect(
    quotesOf(library, id)
      .map(([quote]) => quote)
      .sort()
  ).toEqual(['mine', 'theirs'])
  expect(importing(library, [given('theirs')], 3000).statuses).toEqual(['existing'])
  expect(library.listImports().map((one) => one.id)).toEqual([first])
  expect(library.undo({ import: first }, 4000)).toEqual({ undone: 1, kept: 0 })
  expect(quotesOf(library, id)).toEqual([['mine', '']])
  expect(indexFaults(library.db)).toEqual([])
})

test('an import has the highlights of each record of a page, and restores a page with them', () => {
  const library = emptyLibrary()
  const at = 2000
  const id = library.beginImport(at)
  const draft = (quote: string) => ({
    ...imported(link('https://b.example/', { title: 'B' }), { ...PRIVATE, savedAt: at }),
    highlights: [given(quote)],
    place: { block: 2, share: 0 }
  })
  const drafts = [draft('one'), draft('two'), draft('one')]
  expect(library.importBookmarks(id, [packDrafts(drafts)])).toEqual(['saved', 'merged', 'repeated'])
  settle(library)
  const [bookmark = ''] = library.matchingIds({ trash: 'without' })
  expect(
    quotesOf(library, bookmark)
      .map(([quote]) => quote)
      .sort()
  ).toEqual(['one', 'two'])
  expect(library.readReadingPlace(bookmark)).toEqual({ block: 2, share: 0 })
  expect(titles(library, { words: 'is:highlighted' })).toEqual(['B'])
  library.changeBookmarks([bookmark], { kind: 'delete' }, 3000)
  const again = importing(library, [given('three')], 4000, 'https://b.example/')
  expect(again.statuses).toEqual(['saved'])
  expect(quotesOf(library, bookmark)).toHaveLength(3)
  library.undo({ import: again.id }, 5000)
  expect(quotesOf(library, bookmark)).toHaveLength(2)
  settle(library)
  expect(indexFaults(library.db)).toEqual([])
})
