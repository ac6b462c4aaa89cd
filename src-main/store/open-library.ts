import { join } from 'node:path'
import type { RestoreReport } from '../contract/backup.ts'
import type { ChangeKind, LibraryEvent } from '../contract/change.ts'
import type { Finding } from '../contract/doctor.ts'
import type { Library } from '../contract/library/library.ts'
import { Problem } from '../contract/problem.ts'
import { type CurrentLibrary, openCurrentLibrary } from './open-current-library.ts'
import type { Examines } from './threads/examining.ts'
import type { Restores } from './threads/restoring.ts'
import { startInPlace } from './threads/start-in-place.ts'
import { type StartThread, startThread } from './threads/thread.ts'

/**
 * Opens the library in a data folder, or makes one. The caller holds the library's lock. A backup can take its place
 * while it is open; calls made meanwhile wait and go to what is there then.
 *
 * @param options `inPlace` works without threads: see `startInPlace`; `emit` is told what each write changed
 * @throws Problem when the file is damaged, foreign or from a newer Earmark
 */
export async function openLibrary(
  folder: string,
  { inPlace = false, emit = () => {} }: { inPlace?: boolean; emit?: (event: LibraryEvent) => void } = {}
): Promise<Library> {
  const start = inPlace ? startInPlace : startThread
  let current = await openCurrentLibrary(folder, inPlace, emit)
  let replacing: Promise<void> | undefined
  let replaced = 0
  let begun = false

  function passedOn<Name extends keyof CurrentLibrary>(name: Name): CurrentLibrary[Name] {
    const call = (args: unknown[]) => (current[name] as (...all: unknown[]) => Promise<unknown>)(...args)
    return ((...args: unknown[]) => (replacing ? replacing.then(() => call(args)) : call(args))) as CurrentLibrary[Name]
  }

  /** @param then is done to the new one before anybody else gets at it */
  async function replace<T>(work: () => Promise<T>, then: () => Promise<unknown>): Promise<T> {
    if (replacing) throw new Problem('taken', 'A backup is being restored already. Wait for its end.')
    const done = Promise.withResolvers<void>()
    replacing = done.promise
    replaced += 1
    try {
      await current.close()
      const result = await work().finally(async () => {
        current = await openCurrentLibrary(folder, inPlace, emit).catch(unopened)
      })
      await then()
      if (begun) void current.begin().catch(() => {}) // the next write tries again, and tells
      return result
    } finally {
      replacing = undefined
      done.resolve()
    }
  }

  const names = Object.keys(current) as (keyof CurrentLibrary)[]
  const passed = Object.fromEntries(names.map((name) => [name, passedOn(name)])) as unknown as CurrentLibrary
  return {
    ...passed,
    exportBookmarks: async (range) => ({ ...(await passed.exportBookmarks(range)), library: replaced }),
    generation: () => replaced,
    async begin() {
      begun = true
      await passed.begin()
    },
    examine: (now) => examine(start, join(folder, 'library.sqlite'), now),
    async restoreBackup(name, at, session) {
      const report = await replace(
        () => restore(start, join(folder, 'library.sqlite'), join(folder, 'backups', name), at),
        async () => session && (await current.createSession(session, at))
      )
      for (const kind of EVERYTHING) emit({ kind })
      return report
    }
  }
}

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

/** On a thread, so that the copy, which may be large, holds up nobody. */
async function restore(start: StartThread, file: string, backup: string, at: number): Promise<RestoreReport> {
  const thread = await start<Restores>('restoring', file)
  try {
    return await thread.restore(backup, at)
  } finally {
    await thread.close()
  }
}

/** On a thread, because a large library takes seconds. */
async function examine(start: StartThread, file: string, now: number): Promise<Finding[]> {
  const thread = await start<Examines>('examining', file)
  try {
    return await thread.examine(now)
  } finally {
    await thread.close()
  }
}

/**
 * The bookmarks in a Firefox profile's database, as a file that can be imported.
 *
 * @throws Problem `invalid` when it is another database, or cannot be read just now
 */
export async function readPlaces(file: string, inPlace: boolean): Promise<string> {
  const thread = await (inPlace ? startInPlace : startThread)<Examines>('examining', file)
  try {
    return await thread.places(file)
  } finally {
    await thread.close()
  }
}

/** Answers every call with why the library could not be opened again. */
function unopened(error: unknown): CurrentLibrary {
  return new Proxy({} as CurrentLibrary, {
    get: (_, name) => async () => {
      if (name !== 'close') throw error
    }
  })
}
