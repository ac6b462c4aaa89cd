import type { ReadConnection } from '../../database/connection.ts'
import { exists } from '../../database/sql.ts'
import { newestId } from '../bookmarks/walk.ts'
import type { PoolCall } from '../calls.ts'
import type { CallName } from '../library.ts'
import { readingPool } from './pool.ts'
import { timeSlices } from './time-slice.ts'

/** In a library up to this size everything is over in a few milliseconds. */
export const SMALL = 10_000

/** So many texts of pages are much to search, however few the bookmarks: each is as long as hundreds of titles. */
const MANY_TEXTS = 500

/** How often texts are counted again, in milliseconds. */
const COUNT_EVERY_MS = 60_000

/** Makes the reads that may take long, wherever they hold nobody up. */
export interface Reader {
  call(name: CallName, read: PoolCall<never[], unknown>, args: never[]): Promise<unknown>
  /** Starts a thread in a large library, so that the first read does not wait for it. */
  begin(): void
  close(): Promise<void>
}

/** Reads where nobody waits meanwhile: all of them here, on the one connection. */
export function createReaderInPlace(db: ReadConnection): Reader {
  return { call: async (_, read, args) => read.run(db, ...args), begin() {}, async close() {} }
}

/**
 * Reads here in a small library, where nothing takes long, and on the reading threads in a large one, so that nothing
 * holds the event loop. See decision 005.
 *
 * @param db the connection of this thread; whoever opened it closes it
 */
export function createReader(file: string, db: ReadConnection): Reader {
  const pool = readingPool(file)
  const turn = timeSlices()
  let large = false
  let countedAt = Number.NEGATIVE_INFINITY

  /** A library that was large once counts as large. */
  function isSmall(): boolean {
    large ||= newestId(db) > SMALL || hasManyTexts()
    return !large
  }

  function hasManyTexts(): boolean {
    const now = performance.now()
    if (now - countedAt < COUNT_EVERY_MS) return false
    countedAt = now
    return exists(db)`SELECT 1 FROM page_texts LIMIT 1 OFFSET ${MANY_TEXTS}`
  }

  return {
    async call(name, { run, evenWhenSmall }, args) {
      if (evenWhenSmall || !isSmall()) return pool.call(name, args)
      return turn(() => run(db, ...args))
    },
    begin() {
      if (!isSmall()) pool.begin()
    },
    close: () => pool.close()
  }
}
