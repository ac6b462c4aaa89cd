import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../connection.ts'
import type { CommonWords } from '../search/common-words.ts'
import type { ThreadReads } from './reading.ts'
import { shareLoop } from './share-loop.ts'
import { slowReads } from './slow-reads.ts'
import { type StartThread, startThread, type Thread } from './thread.ts'

/** In a library up to this size everything is over in a few milliseconds. */
export const SMALL = 10_000

/** So many texts of pages are much to search, however few the bookmarks: each is as long as hundreds of titles. */
const MANY_TEXTS = 500

/** How often it is looked whether the library's usual words are others by now, in milliseconds. */
const LOOK_EVERY = 60_000

/** The library has grown or shrunk by this share since they were looked at. */
const CHANGED = 0.1

/** Reads that are made wherever they hold nobody up. */
export interface Reader extends Pick<Thread<ThreadReads>, Slow> {
  close(): Promise<void>
}

type Slow =
  | 'searchBookmarks'
  | 'countBookmarks'
  | 'countUnindexed'
  | 'listBookmarks'
  | 'findDuplicates'
  | 'similarColors'
  | 'similarImages'
  | 'readOriginal'
  | 'listTags'
  | 'exportBookmarks'
  | 'checkLibraryFile'

/**
 * Reads on two connections: here what is quick, on the reading thread what may take long, so that nothing holds the
 * event loop. In a small library nothing takes long; the thread starts when it is first needed.
 *
 * @param db the connection of this thread; whoever opened it closes it
 */
export function createReader(file: string, db: ReadConnection, start: StartThread = startThread): Reader {
  let common: CommonWords | undefined
  let started: Promise<Thread<ThreadReads>> | undefined
  const reads = slowReads(db, () => common)
  const turn = shareLoop()
  let closed = false
  const manyTexts = db.prepare('SELECT count(*) > @many FROM (SELECT 1 FROM page_texts LIMIT @many + 1)').pluck()
  const newest = db.prepare('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  let large = false

  /** A library that was large once counts as large. */
  function isSmall(): boolean {
    large ||= (newest.get() as number) > SMALL
    return !large
  }

  async function searchLarge(caller: Caller, query: BookmarkQuery): Promise<BookmarkPage> {
    const quick = await turn(() => reads.searchQuickly(caller, query))
    return quick ?? (await thread()).searchBookmarks(caller, query)
  }

  function thread(): Promise<Thread<ThreadReads>> {
    if (closed) return Promise.reject(new Error('The library is closed.'))
    started ??= start<ThreadReads>('reading', file).catch((error) => {
      started = undefined
      throw error
    })
    return started
  }

  async function look(): Promise<void> {
    large ||= manyTexts.get({ many: MANY_TEXTS }) === 1
    if (isSmall()) return
    const bookmarks = newest.get() as number
    if (!common || Math.abs(bookmarks - common.bookmarks) > common.bookmarks * CHANGED) {
      common = await (await thread()).commonWords()
    }
  }
  // Until they are known every search for several words is the thread's.
  const lookAgain = () => void look().catch(() => {})
  lookAgain()
  const timer = setInterval(lookAgain, LOOK_EVERY).unref()

  /** Here in a small library, on the thread in a large one. */
  const where = async (): Promise<Pick<Thread<ThreadReads>, Slow> | typeof reads> => (isSmall() ? reads : thread())

  return {
    searchBookmarks: async (caller, query) =>
      isSmall() ? turn(() => reads.searchBookmarks(caller, query)) : searchLarge(caller, query),
    countBookmarks: async (caller) => (await where()).countBookmarks(caller),
    countUnindexed: async () => (await where()).countUnindexed(),
    listBookmarks: async (list) => (await where()).listBookmarks(list),
    findDuplicates: async (page, limit) => (await where()).findDuplicates(page, limit),
    similarColors: async (color, limit) => (await where()).similarColors(color, limit),
    similarImages: async (color, limit) => (await where()).similarImages(color, limit),
    // Megabytes, however few the bookmarks.
    readOriginal: async (hash) => (await thread()).readOriginal(hash),
    listTags: async () => (await where()).listTags(),
    exportBookmarks: async (range) => (await where()).exportBookmarks(range),
    checkLibraryFile: async (other) => (await where()).checkLibraryFile(other),
    async close() {
      closed = true
      clearInterval(timer)
      await (await started?.catch(() => undefined))?.close()
    }
  }
}
