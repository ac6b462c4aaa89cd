import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { BookmarkDraft, BookmarkQuery, Placement } from '../../src-main/contract/bookmark.ts'
import type { BookmarkList } from '../../src-main/contract/bookmark-list.ts'
import type { UndoReport } from '../../src-main/contract/call.ts'
import { type Caller, PROFILE } from '../../src-main/contract/caller.ts'
import type { NewKey } from '../../src-main/contract/key.ts'
import type { ImportDraft } from '../../src-main/contract/library-export.ts'
import type { TagReport } from '../../src-main/contract/tag.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import type { Written } from '../../src-main/store/calls.ts'
import { openReadConnection, type ReadConnection, type WriteConnection } from '../../src-main/store/connection.ts'
import { openLibraryFile } from '../../src-main/store/files/open-library-file.ts'
import { CALLS, type CallName, type LibraryCalls, libraryCalls } from '../../src-main/store/library.ts'
import { indexWork } from '../../src-main/store/search/indexing.ts'
import type { Thread } from '../../src-main/store/worker/client.ts'
import { makeWrite } from '../../src-main/store/worker/writing.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** An empty library on disk, with its writes and reads on a connection each, as the service has them. */
export function emptyLibrary() {
  return openedLibrary(putEmptyLibrary(tempFolder()))
}

/** The same on a library file that is there. */
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
    /** For a test that opens many. */
    close,
    ...calls,
    /** As the action does it: part by part. */
    deleteTag(name: string, at: number): TagReport {
      let part = calls.deleteTagSome(name, at)
      while (part.after !== null) part = calls.deleteTagSome(name, at, part)
      return part
    },
    undoStep: (id: number) => undone(calls.undoStepSome, id),
    ...indexWork(db)
  }
}

/** The library's calls without threads: most answer at once, the asynchronous ones with a promise all the same. */
type DirectCalls = {
  [Name in CallName]: (...args: Parameters<LibraryCalls[Name]>) => Awaited<ReturnType<LibraryCalls[Name]>>
}

/** Makes the library's calls on connections that are open here; writes in a transaction each, as the service does. */
export function directCalls(db: WriteConnection, read: ReadConnection = db): DirectCalls {
  const calls = Object.entries(CALLS).map(([name, line]) => [
    name,
    (...args: never[]) => (line.runsOn === 'writer' ? makeWrite(db, line, args).answer : line.run(read, ...args))
  ])
  return Object.fromEntries(calls) as DirectCalls
}

/** The writes of a thread, as the library makes them. */
export function writesOf(thread: Pick<Thread, 'call'>): LibraryCalls {
  return libraryCalls(async (name, args) => ((await thread.call(name, args)) as Written<unknown>).answer)
}

/** As the action does it: part by part. */
export function undone(undoSome: DirectCalls['undoStepSome'], id: number): UndoReport | undefined {
  return undoneWith(undoSome, id)?.report
}

/** The same, with the step that makes the change again. */
export function undoneWith(undoSome: DirectCalls['undoStepSome'], id: number) {
  const report = { undone: 0, kept: 0 }
  let redo: number | null = null
  for (let after: number | null = 0; after !== null; ) {
    const part = undoSome(id, after, redo)
    if (!part) return undefined
    redo = part.redo
    report.undone += part.undone
    report.kept += part.kept
    after = part.next
  }
  return { report, redo }
}

export type TestLibrary = ReturnType<typeof emptyLibrary>

/** Where the profile's bookmarks go. */
export const PRIVATE: Placement = { owner: null, visibility: 'private', savedAt: 1000 }
export const PUBLIC: Placement = { ...PRIVATE, visibility: 'public' }

/** A bookmark about to be imported, where a placement says. */
export function imported(draft: BookmarkDraft, { owner, visibility, savedAt }: Placement = PRIVATE): ImportDraft {
  return { ...draft, owner, visibility, updatedAt: savedAt, deletedAt: null }
}

/** Where an organization's bookmarks go. */
export function within(owner: number): Placement {
  return { owner, visibility: 'organization', savedAt: 1000 }
}

/** Whether tags hold one that is asked for: `work` with all below it, `work/` those below alone, `=work` the tag alone. */
export function hasTag(tags: string[], asked: string): boolean {
  const [, only, name, below] = /^(=?)(.*?)(\/?)$/.exec(asked.toLowerCase()) ?? []
  return tags.some((tag) => {
    const one = tag.toLowerCase()
    return (one === name && below === '') || (one.startsWith(`${name}/`) && only === '')
  })
}

/** A link about to be saved. */
export function link(url: string, more: Partial<BookmarkDraft> = {}): BookmarkDraft {
  const address = parseAddress(url)
  if ('fault' in address) throw new Error(address.fault)
  return { type: 'link', ...address, title: '', description: '', content: '', tags: [], createdAt: 1000, ...more }
}

/** A bookmark of another type, which has no page. */
export function note(more: Partial<BookmarkDraft>): BookmarkDraft {
  return { ...link('https://a.example/'), type: 'text', url: null, domain: null, pageKey: null, ...more }
}

/** Titles of what is found, in order. */
export function titles(library: TestLibrary, query: Partial<BookmarkQuery> = {}, caller: Caller = PROFILE): string[] {
  return library.searchBookmarks(caller, { page: 1, limit: 100, ...query }).bookmarks.map((one) => one.title)
}

/** Titles of what is listed, in order. */
export function listed(library: TestLibrary, list: Partial<BookmarkList> = {}): string[] {
  return library.listBookmarks({ order: 'newest', page: 1, limit: 100, ...list }).bookmarks.map((one) => one.title)
}

/** Indexes all that a change left to the background. */
export function settle(library: TestLibrary): void {
  while (library.rebuildSome());
}

/** A key about to be made. */
export function newKey(more: Partial<NewKey> = {}): NewKey {
  const key = { name: 'editor', prefix: 'emk_abcdef', owner: null, readOnly: false, expiresAt: null, createdAt: 1000 }
  return { ...key, tags: [], hash: new Uint8Array(randomBytes(32)), ...more }
}
