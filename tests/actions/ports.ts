import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Ports } from '../../src-main/actions/ports.ts'
import type { Bookmark, BookmarkDraft, Placement } from '../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { type Changes, createChangeEmitter } from '../../src-main/contract/change.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { openFormats } from '../../src-main/formats/import-process.ts'
import { openBrowsers } from '../../src-main/integrations/browser-hosts.ts'
import { openEditors } from '../../src-main/integrations/editor-files.ts'
import { openMarkdownFolder } from '../../src-main/integrations/markdown-folder.ts'
import { openKeyFiles } from '../../src-main/keychain/keychain.ts'
import { openLibrary, prepareRestore } from '../../src-main/store/open-library.ts'
import { syncFolders } from '../../src-main/sync/sync-folders.ts'
import { convertCopy } from '../../src-main/web/page-copy.ts'
import { colorsOfPicture, inspectPicture } from '../../src-main/web/pictures.ts'
import { emptyLibrary } from '../store/library.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { noKeychain } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A clock the test moves. */
interface Clock {
  time: number
}

/** When the tests' clocks begin, in milliseconds since 1970. */
export const START = Date.UTC(2026, 0, 1)

/** The ports of actions, on a real library that is closed after the test. */
export async function testPorts(options: Partial<Ports> & { data?: string } = {}): Promise<TestPorts> {
  const { data = tempFolder(), ...ports } = options
  const opened = { ...(await openPorts(data)), ...ports }
  onTestFinished(() => opened.library.close())
  return opened
}

/** One library for all tests of a file or a group, which must not depend on each other. */
export function sharedPorts(drafts: BookmarkDraft[] = []): () => TestPorts {
  let folder = ''
  let ports: TestPorts | undefined
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earmark-shared-'))
    ports = await openPorts(folder)
    if (drafts.length > 0) await ports.library.saveBookmarks(PRIVATE, drafts)
  })
  afterAll(async () => {
    await ports?.library.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    if (!ports) throw new Error('the library is open only within tests')
    return ports
  }
}

/** Replaces the library of ports with one of its backups, as the service does. */
export async function restore(ports: Ports, backup: string): Promise<void> {
  const { folder } = ports.library.measure()
  await ports.library.close()
  await prepareRestore(folder, backup, true).replace(1)
  ports.library = await openLibrary(folder, { inPlace: true })
}

export type TestPorts = Ports & { clock: Clock; changes: Changes }

/** The same on a library in this thread, which opens at once, for tests that need no threads and files. */
export function quickPorts(options: Partial<Ports> = {}): TestPorts {
  const clock = { time: START }
  // Its methods return values instead of promises; callers that await them do not notice.
  const library = emptyLibrary() as unknown as Ports['library']
  return { ...portsOn(tempFolder(), library), now: () => clock.time, clock, changes: createChangeEmitter(), ...options }
}

async function openPorts(data: string): Promise<TestPorts> {
  const clock = { time: START }
  const changes = createChangeEmitter()
  putEmptyLibrary(data)
  return {
    ...portsOn(data, await openLibrary(data, { inPlace: true, emit: changes.emit })),
    now: () => clock.time,
    clock,
    changes
  }
}

function portsOn(data: string, library: Ports['library']): Omit<Ports, 'now'> {
  const editors = openEditors(data, { platform: 'linux', home: join(data, 'home'), env: {} })
  return {
    library,
    keychain: noKeychain,
    keyFiles: openKeyFiles(data),
    browsers: openBrowsers(data, { platform: 'linux', home: join(data, 'home'), env: {} }),
    editors: async () => editors,
    // In this process; the service reads large files in a process of their own.
    formats: async () => openFormats(),
    markdownFolder: (folder) => openMarkdownFolder(data, folder),
    syncFolders: async () => syncFolders,
    // In this process; the service uses its decoder process.
    pictures: { inspect: inspectPicture, colorsOf: colorsOfPicture },
    pageCopies: { convert: async (bytes) => convertCopy(bytes) }
  }
}

/** A link as an import would save it. */
export function link(address: string, facts: Partial<BookmarkDraft> = {}): BookmarkDraft {
  const parsed = parseAddress(address)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return { ...parsed, type: 'link', title: '', description: '', content: '', tags: [], createdAt: START, ...facts }
}

export const PRIVATE: Placement = { owner: null, visibility: 'private', savedAt: START }

/** All bookmarks of a library, newest first. */
export async function everything({ library }: Pick<Ports, 'library'>): Promise<Bookmark[]> {
  const { bookmarks } = await library.searchBookmarks(PROFILE, { page: 1, limit: 1000 })
  return bookmarks
}
