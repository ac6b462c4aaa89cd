import type { CommonWords } from '../../search/sql/common-words.ts'
import type { ReadConnection } from '../connection.ts'
import { NEVER_HERE, type SlowReads, slowReads } from '../families.ts'
import { checkLibraryFile } from '../files/check-library-file.ts'
import { readingThreads } from './reading-threads.ts'
import type { Answered } from './thread.ts'
import { timeSlices } from './time-slice.ts'

/** In a library up to this size everything is over in a few milliseconds. */
export const SMALL = 10_000

/** So many texts of pages are much to search, however few the bookmarks: each is as long as hundreds of titles. */
const MANY_TEXTS = 500

/** How often it is looked whether the library's usual words are others by now, in milliseconds. */
const LOOK_EVERY = 60_000

/** The library has grown or shrunk by this share since they were looked at. */
const CHANGED = 0.1

/** Slow reads, made wherever they hold nobody up. */
export type Reader = Answered<SlowReads> & {
  checkLibraryFile(file: string): Promise<number>
  /** Learns in the background what makes searches of a large library quick; the first of them does so too. */
  begin(): void
  close(): Promise<void>
}

/** Slow reads where nobody waits meanwhile: all of them here, on the one connection. */
export function createReaderInPlace(db: ReadConnection): Reader {
  const reads = Object.entries(slowReads(db)) as [string, Call][]
  return {
    ...(Object.fromEntries(
      reads.map(([name, read]) => [name, async (...args: unknown[]) => read(...args)])
    ) as Answered<SlowReads>),
    checkLibraryFile: async (other) => checkLibraryFile(other),
    begin() {},
    async close() {}
  }
}

type Call = (...args: unknown[]) => unknown

/**
 * Reads on two connections: here what is quick, on the reading thread what may take long, so that nothing holds the
 * event loop. In a small library nothing takes long; the thread starts when it is first needed.
 *
 * @param db the connection of this thread; whoever opened it closes it
 */
export function createReader(file: string, db: ReadConnection): Reader {
  let common: CommonWords | undefined
  const threads = readingThreads(file)
  const turn = timeSlices()
  let closed = false
  const manyTexts = db.prepare('SELECT count(*) > @many FROM (SELECT 1 FROM page_texts LIMIT @many + 1)').pluck()
  const newest = db.prepare('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  let large: boolean | undefined

  /** A library that was large once counts as large. Texts are looked at with the first read, then now and then. */
  function isSmall(): boolean {
    large ??= hasManyTexts()
    large ||= (newest.get() as number) > SMALL
    return !large
  }

  function hasManyTexts(): boolean {
    return manyTexts.get({ many: MANY_TEXTS }) === 1
  }

  async function answer(name: string, read: Call & { quickly?: Call }, args: unknown[]): Promise<unknown> {
    if (NEVER_HERE.has(name)) return threads.call(name, args)
    if (isSmall()) return turn(() => read(...args))
    begin()
    const { quickly } = read
    return (quickly && (await turn(() => quickly(...args)))) ?? threads.call(name, args)
  }

  async function look(): Promise<void> {
    large ||= hasManyTexts()
    if (isSmall()) return
    const bookmarks = newest.get() as number
    if (!common || Math.abs(bookmarks - common.bookmarks) > common.bookmarks * CHANGED) {
      common = (await threads.call('commonWords', [])) as CommonWords
    }
  }
  /** Until they are known every search for several words is the thread's. */
  const lookAgain = () => void look().catch(() => {})
  let timer: NodeJS.Timeout | undefined

  function begin(): void {
    if (timer || closed) return
    timer = setInterval(lookAgain, LOOK_EVERY).unref()
    lookAgain()
  }

  const reads = Object.entries(slowReads(db, () => common)) as [string, Call][]
  return {
    ...(Object.fromEntries(
      reads.map(([name, read]) => [name, (...args: unknown[]) => answer(name, read, args)])
    ) as Answered<SlowReads>),
    checkLibraryFile: async (other) =>
      isSmall() ? checkLibraryFile(other) : (threads.call('checkLibraryFile', [other]) as Promise<number>),
    begin,
    async close() {
      closed = true
      clearInterval(timer)
      await threads.close()
    }
  }
}
