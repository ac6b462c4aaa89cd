import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { BookmarkDraft, BookmarkQuery, Placement } from '../../src-main/contract/bookmark.ts'
import type { BookmarkEdit } from '../../src-main/contract/bookmark-change.ts'
import type { BookmarkList } from '../../src-main/contract/bookmark-list.ts'
import type { UndoPart, UndoReport, UndoTarget } from '../../src-main/contract/call.ts'
import { type Caller, PROFILE } from '../../src-main/contract/caller.ts'
import type { NewKey } from '../../src-main/contract/key.ts'
import type { ImportDraft } from '../../src-main/contract/library-export.ts'
import type { PageText, StoredDetails } from '../../src-main/contract/page-details.ts'
import type { RuleDraft } from '../../src-main/contract/rule.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { openReadConnection, type ReadConnection, type WriteConnection } from '../../src-main/database/connection.ts'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { indexWork } from '../../src-main/store/indexing.ts'
import { CALLS, type CallName, type LibraryCalls } from '../../src-main/store/library.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { makeWrite } from '../../src-main/store/thread-work.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** An empty library on disk, with its writes and reads on a connection each, as the service has them. */
export function emptyLibrary() {
  return openedLibrary(putEmptyLibrary(tempFolder()))
}

/** The same on an existing library file. */
export function openedLibrary(file: string) {
  const db = openLibraryFile(file)
  const read = openReadConnection(file)
  const close = () => {
    read.close()
    db.close()
  }
  onTestFinished(close)
  const calls = directCalls(db, read)
  return {
    file,
    db,
    /** For a test that opens many libraries. */
    close,
    ...calls,
    // Most tests need neither the undo step of a new rule or search nor the time of its change.
    saveRule: (draft: TestRule, at = 1000) => calls.saveRule({ copy: false, ...draft }, at).rule,
    changeRule: (id: string, draft: TestRule, at = 1000) => calls.changeRule(id, { copy: false, ...draft }, at),
    saveSearch: (name: string, address: string, at = 1000) => calls.saveSearch({ name, address }, at).search,
    renameSavedSearch: (id: string, name: string, at = 1000) => calls.changeSavedSearch(id, { name }, at),
    deleteSavedSearch: (id: string, at = 1000) => calls.deleteSavedSearch(id, at),
    undo: (target: UndoTarget, at: number) => undone(calls.undoBatch, target, at),
    undoStep: (id: number) => undone(calls.undoBatch, { step: id }),
    ...indexWork(db)
  }
}

/** A rule, which saves no copies unless it says so. */
type TestRule = Omit<RuleDraft, 'copy'> & { copy?: boolean }

/** A library of schema 300: 58 bookmarks with all kinds of work left to do, made by that version. */
export function libraryOf300(folder = tempFolder()): string {
  const file = join(folder, 'library.sqlite')
  writeFileSync(file, gunzipSync(readFileSync(join(import.meta.dirname, '../database/library-300.sqlite.gz'))))
  return file
}

/** A library with a link for each of these titles. */
export function libraryOf(...titles: string[]): TestLibrary {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    titles.map((title, index) => link(`https://a.example/${index}`, { title }))
  )
  return library
}

/** Opens the library of a folder as the service does. */
export async function startedLibrary(folder = tempFolder(), options: Parameters<typeof openLibrary>[1] = {}) {
  const library = await openLibrary(folder, options)
  onTestFinished(() => library.close())
  return library
}

/** The library's calls without threads: most return their answer, some a promise. */
type DirectCalls = {
  [Name in CallName]: (...args: Parameters<LibraryCalls[Name]>) => Awaited<ReturnType<LibraryCalls[Name]>>
}

/** Makes the library's calls on open connections, each write in a transaction, as the service does. */
export function directCalls(db: WriteConnection, read: ReadConnection = db): DirectCalls {
  const calls = Object.entries(CALLS).map(([name, line]) => [
    name,
    (...args: never[]) => (line.runsOn === 'writer' ? makeWrite(db, line, args).answer : line.run(read, ...args))
  ])
  return Object.fromEntries(calls) as DirectCalls
}

type UndoBatch = (target: UndoTarget, at: number, before?: UndoPart) => UndoPart | undefined

/** Undoes a step in batches, as the action does it. */
export function undone(undoBatch: UndoBatch, target: UndoTarget, at?: number): UndoReport | undefined {
  return undoneWith(undoBatch, target, at)?.report
}

/** The same, with the step that redoes the change. */
export function undoneWith(undoBatch: UndoBatch, target: UndoTarget, at = 9000) {
  let part = undoBatch(target, at)
  while (part && part.next !== null) part = undoBatch(target, at, part)
  return part && { report: { undone: part.undone, kept: part.kept }, redo: part.redo }
}

export type TestLibrary = ReturnType<typeof emptyLibrary>

/** The placement of the profile's bookmarks. */
export const PRIVATE: Placement = { owner: null, visibility: 'private', savedAt: 1000 }
export const PUBLIC: Placement = { ...PRIVATE, visibility: 'public' }

/** A bookmark of an import, with this placement. */
export function imported(draft: BookmarkDraft, { owner, visibility, savedAt }: Placement = PRIVATE): ImportDraft {
  return { ...draft, owner, visibility, updatedAt: savedAt, deletedAt: null }
}

/** The placement of an organization's bookmarks. */
export function within(owner: number): Placement {
  return { owner, visibility: 'organization', savedAt: 1000 }
}

/** Whether tags match a filter: `work` with its nested tags, `work/` nested tags only, `=work` the tag only. */
export function hasTag(tags: string[], asked: string): boolean {
  const [, only, name, below] = /^(=?)(.*?)(\/?)$/.exec(asked.toLowerCase()) ?? []
  return tags.some((tag) => {
    const folded = tag.toLowerCase()
    return (folded === name && below === '') || (folded.startsWith(`${name}/`) && only === '')
  })
}

/** A link to save. */
export function link(url: string, more: Partial<BookmarkDraft> = {}): BookmarkDraft {
  const address = parseAddress(url)
  if ('fault' in address) throw new Error(address.fault)
  return { type: 'link', ...address, title: '', description: '', content: '', tags: [], createdAt: 1000, ...more }
}

/** A bookmark of another type to save, which has no page. */
export function note(more: Partial<BookmarkDraft>): BookmarkDraft {
  return { ...link('https://a.example/'), type: 'text', url: null, domain: null, pageKey: null, ...more }
}

/** What an edit sets to give a bookmark another address. */
export function addressOf(address: string): NonNullable<BookmarkEdit['address']> {
  const { url, domain, pageKey } = link(address)
  return { url, domain, pageKey }
}

/** The details of a page without any text. */
export const PAGE: StoredDetails = {
  kind: 'page',
  title: '',
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  markdown: null,
  icon: null,
  preview: null
}

/** A page's text without marks. */
export const unmarked = (text: string): PageText => ({ text, markdown: text })

/** The first five results of a search, with its hint. */
export function search(library: TestLibrary, words: string, caller: Caller = PROFILE) {
  return library.searchBookmarks(caller, { words, page: 1, limit: 5 })
}

/** Titles of a search's results, in order. */
export function titles(library: TestLibrary, query: Partial<BookmarkQuery> = {}, caller: Caller = PROFILE): string[] {
  return library.searchBookmarks(caller, { page: 1, limit: 100, ...query }).bookmarks.map(({ title }) => title)
}

/** Titles of a list, in order. */
export function listed(library: TestLibrary, list: Partial<BookmarkList> = {}): string[] {
  return library.listBookmarks({ order: 'newest', page: 1, limit: 100, ...list }).bookmarks.map(({ title }) => title)
}

/** Does the indexing that a change left to the background. */
export function settle(library: TestLibrary): void {
  while (library.indexBatch());
}

/** A key to create. */
export function newKey(more: Partial<NewKey> = {}): NewKey {
  const key = { name: 'editor', prefix: 'emk_abcdef', owner: null, readOnly: false, expiresAt: null, createdAt: 1000 }
  return { ...key, tags: [], hash: new Uint8Array(randomBytes(32)), ...more }
}
