import { join } from 'node:path'
import type { ChangeKind, LibraryEvent } from '../contract/change.ts'
import type { Backup, Finding, RestoreReport } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { type LibraryCalls, libraryCalls } from './library.ts'
import { type CurrentLibrary, openCurrentLibrary } from './open-current-library.ts'
import { runJob, startInPlace, startThread } from './threads.ts'

/**
 * The library on disk. A write resolves once it is synced; a read sees every write that resolved before it. Its calls are
 * documented where they are implemented: `library.ts` lists them.
 */
export interface Library extends LibraryCalls {
  /** Copies the library to a file of this name among the backups, while it goes on. */
  backUp(name: string): Promise<Backup>
  /**
   * Does work of several calls, all in the library that is there when it begins: a restore that is under way is waited
   * for, and one that comes waits for its end.
   */
  inOneLibrary<T>(work: () => Promise<T>): Promise<T>
  /** How many backups have taken the place of the library since it was opened. */
  generation(): number
  /**
   * Puts a backup in the place of the library while it is open, and ends all sessions but one; nobody who was shut out
   * since gets in again.
   *
   * @param session goes on without a gap
   * @throws Problem when the backup is missing, damaged, foreign or from a newer Earmark, or `taken` while another is
   *   being restored or work in one library does not end; the library is untouched then
   */
  restoreBackup(name: string, at: number, session?: Uint8Array): Promise<RestoreReport>
  /** Starts both threads, which otherwise start when they are needed, and checks a library that was not closed. */
  begin(): Promise<void>
  /** The folder of the library, and the bytes it takes there. */
  measure(): Promise<{ folder: string; bytes: number }>
  /** Whether damage was found since it was opened: after an unclean end it is looked through in the background. */
  isDamaged(): Promise<boolean>
  /** Whether, when it was opened, the log with what was saved last was missing though its process had been killed. */
  lostLog(): Promise<boolean>
  /** Looks for faults while it goes on; in a large library that takes seconds. Changes nothing. */
  examine(now: number): Promise<Finding[]>
  close(): Promise<void>
}

/**
 * Opens the library in a data folder, or makes one. The caller holds the library's lock. A backup can take its place
 * while it is open; calls made meanwhile wait and go to what is there then, and work in one library is not parted by it.
 *
 * @param options `inPlace` works without threads: see `startInPlace`; `emit` is told what each write changed
 * @throws Problem when the file is damaged, foreign or from a newer Earmark
 */
export async function openLibrary(
  folder: string,
  { inPlace = false, emit = () => {} }: { inPlace?: boolean; emit?: (event: LibraryEvent) => void } = {}
): Promise<Library> {
  const start = inPlace ? startInPlace : startThread
  const file = join(folder, 'library.sqlite')
  let current = await openCurrentLibrary(folder, inPlace, emit)
  /** From when a restore is asked for until it is over; `replacing` from when nothing goes on in the library. */
  let restoring: Promise<void> | undefined
  let replacing: Promise<void> | undefined
  let workUnderWay = 0
  let ended: (() => void) | undefined
  let replaced = 0
  let begun = false

  /** Does something with the library that is open, or with the one that is there once a backup took its place. */
  function withCurrent<T>(work: (library: CurrentLibrary) => Promise<T>): Promise<T> {
    return replacing ? replacing.then(() => work(current)) : work(current)
  }

  async function inOneLibrary<T>(work: () => Promise<T>): Promise<T> {
    while (restoring) await restoring
    workUnderWay += 1
    try {
      return await work()
    } finally {
      workUnderWay -= 1
      if (workUnderWay === 0) ended?.()
    }
  }

  /** Waits until work in one library has ended; no other begins meanwhile. */
  async function workEnds(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (workUnderWay === 0) resolve()
    ended = resolve
    const limit = setTimeout(() => reject(new Problem('taken', BUSY)), MOST_WAIT_MS)
    await promise.finally(() => clearTimeout(limit))
  }

  const calls = libraryCalls((name, args) => withCurrent((library) => library.call(name, args)))

  /** @param then is done to the new one before anybody else gets at it */
  async function replace<T>(work: () => Promise<T>, then: () => Promise<unknown>): Promise<T> {
    if (restoring) throw new Problem('taken', 'A backup is already being restored. Wait until it is finished.')
    const done = Promise.withResolvers<void>()
    restoring = done.promise
    try {
      await workEnds()
      replacing = done.promise
      replaced += 1
      await current.close()
      const result = await work().finally(async () => {
        current = await openCurrentLibrary(folder, inPlace, emit).catch(unopened)
      })
      await then()
      if (begun) void current.begin().catch(() => {}) // the next write tries again, and tells
      return result
    } finally {
      restoring = replacing = undefined
      done.resolve()
    }
  }

  return {
    ...calls,
    backUp: (name) => withCurrent((library) => library.backUp(name)),
    measure: () => withCurrent(async (library) => library.measure()),
    isDamaged: () => withCurrent(async (library) => library.isDamaged()),
    lostLog: () => withCurrent(async (library) => library.lostLog()),
    close: () => withCurrent((library) => library.close()),
    inOneLibrary,
    generation: () => replaced,
    async begin() {
      begun = true
      await withCurrent((library) => library.begin())
    },
    examine: (now) => runJob(start, 'examine', file, now),
    async restoreBackup(name, at, session) {
      const report = await replace(
        () => runJob(start, 'restore', file, join(folder, 'backups', name), at),
        async () => session && (await current.call('createSession', [session, at] as never[]))
      )
      for (const kind of EVERYTHING) emit({ kind })
      return report
    }
  }
}

/** How long a restore waits for work under way, in milliseconds: nothing else begins meanwhile. */
const MOST_WAIT_MS = 5000

const BUSY = 'Earmark is still at work on something else. Restore the backup once that is done.'

const EVERYTHING: ChangeKind[] = [
  'bookmarks',
  'tags',
  'organizations',
  'keys',
  'calls',
  'settings',
  'searches',
  'links'
]

/** Stands for a library that could not be opened again: every call says why. */
function unopened(error: unknown): CurrentLibrary {
  const fail = () => {
    throw error
  }
  return {
    call: async () => fail(),
    backUp: async () => fail(),
    begin: async () => fail(),
    measure: fail,
    isDamaged: fail,
    lostLog: fail,
    async close() {}
  }
}
