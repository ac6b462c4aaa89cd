import { randomUUID } from 'node:crypto'
import { PROFILE } from '../../contract/caller.ts'
import type { Changes } from '../../contract/change.ts'
import type { WatchedFile } from '../../contract/library-export.ts'
import type { BookmarkFiles } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_WATCHED_FILES } from '../../contract/settings.ts'
import { createQueue } from '../../core/queue.ts'
import { importLibrary } from '../imports/import-library.ts'
import type { RunningImports } from '../long-work.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** Interval of checks of the files, in ms. */
const LOOK_EVERY_MS = 2000

interface State extends WatchedFile {
  watch: ReturnType<typeof fileWatch>
}

type WatchingPorts = Ports & { files: BookmarkFiles }

interface WatchingParts {
  imports: RunningImports
  changes: Changes
  onBug(error: unknown): void
  every?: number
}

export type Watching = ReturnType<typeof createWatching>

/**
 * Imports files again whenever they have changed and are no longer being written, a minute after an import failed, and
 * after a backup was restored.
 */
export function createWatching(
  ports: WatchingPorts,
  { imports, changes, onBug, every = LOOK_EVERY_MS }: WatchingParts
) {
  const { library, files } = ports
  const states = new Map<string, State>()
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined

  // Each change writes the whole list of watched files, so changes run one at a time.
  const queue = createQueue()

  const watched = async () => (await library.readSettings()).watchedFiles
  const pass = (state: State) => importOnce(ports, imports, state, closing.signal)

  async function runDueWork(): Promise<void> {
    const all = await watched()
    try {
      for (const file of all) {
        if (closing.signal.aborted) return
        await lookAt(stateOf(states, file), ports, pass)
      }
    } finally {
      clearTimeout(timer)
      if (all.length > 0 && !closing.signal.aborted) timer = setTimeout(() => worker.wake(), every).unref()
    }
  }

  const worker = backgroundWorker({ runDueWork, wakesOn: ({ kind }) => kind === 'settings' }, changes, onBug)

  return {
    start: worker.start,
    async close(): Promise<void> {
      closing.abort()
      clearTimeout(timer)
      await worker.close()
      clearTimeout(timer)
    },
    list: async () => (await watched()).map((file) => factsOf(stateOf(states, file))),
    /** Lists browsers’ bookmark files that are not watched. */
    async found(): Promise<string[]> {
      const all = await watched()
      return (await files.ofBrowsers()).map(({ file }) => file).filter((file) => !all.includes(file))
    },
    /**
     * Imports a file, now and whenever it changes.
     *
     * @throws Problem `invalid` if it is no bookmark file, or too many are watched; `not-found`
     */
    watch: (file: string): Promise<WatchedFile> =>
      queue.add(async () => {
        const before = await watched()
        if (!files.isWholePath(file)) throw new Problem('invalid', 'Enter the full path of the file.')
        if (before.includes(file)) return factsOf(stateOf(states, file))
        if (before.length >= MAX_WATCHED_FILES)
          throw new Problem('invalid', `At most ${MAX_WATCHED_FILES} files can be watched. Stop watching one first.`)
        const state = stateOf(states, file)
        state.watch = fileWatch(await files.stampOf(file))
        await pass(state).catch((error) => {
          states.delete(file)
          throw error
        })
        await library.writeSettings({ watchedFiles: [...before, file] })
        return factsOf(state)
      }),
    /** Stops watching a file; its bookmarks stay. @throws Problem `not-found` if it is not watched */
    unwatch: (file: string): Promise<void> =>
      queue.add(async () => {
        const all = await watched()
        if (!all.includes(file)) throw new Problem('not-found', 'This file is not watched.')
        states.delete(file)
        await library.writeSettings({ watchedFiles: all.filter((other) => other !== file) })
      })
  } satisfies Background & Record<string, unknown>
}

function stateOf(states: Map<string, State>, file: string): State {
  const state = states.get(file) ?? { file, lastAt: null, imported: 0, problem: null, watch: fileWatch() }
  states.set(file, state)
  return state
}

function factsOf({ file, lastAt, imported, problem }: State): WatchedFile {
  return { file, lastAt, imported, problem }
}

async function lookAt(state: State, ports: WatchingPorts, pass: (state: State) => Promise<void>): Promise<void> {
  const stamp = await ports.files.stampOf(state.file)
  if (stamp === '') state.problem = 'The file is not there.'
  if (!state.watch.isDue(stamp, ports.now())) return
  try {
    await pass(state)
  } catch (error) {
    state.watch.failed(ports.now())
    if (!(error instanceof Problem)) throw error
    state.problem = error.message
  }
}

/** Imports a file. Its bookmarks that the owner deleted stay deleted. */
async function importOnce(
  ports: WatchingPorts,
  imports: RunningImports,
  state: State,
  closing: AbortSignal
): Promise<void> {
  const bytes = await ports.files.open(state.file)
  const report = await imports.run(randomUUID(), ({ signal, onProgress }) =>
    importLibrary(ports, PROFILE, bytes, {
      watched: state.file,
      signal: AbortSignal.any([signal, closing]),
      onProgress
    })
  )
  state.lastAt = ports.now()
  state.imported += report.imported
  if (report.problem) throw new Problem(report.problem.code, report.problem.message)
  state.problem = null
}

/** A file whose import failed is tried again after this time, in ms, even if it did not change. */
const RETRY_MS = 60_000

/**
 * Decides when a file must be imported, from stamps that are taken at intervals.
 *
 * @param imported the stamp of the file when it was last imported
 */
function fileWatch(imported?: string) {
  let last = imported
  let retryAt = Number.POSITIVE_INFINITY
  return {
    /**
     * Returns true once for each change, as soon as two stamps in a row are equal; the change then counts as imported.
     *
     * @param stamp empty if there is no file; a file that exists again counts as changed
     */
    isDue(stamp: string, now: number): boolean {
      const rested = stamp === last
      last = stamp
      if (stamp === '') imported = undefined
      if (stamp === '' || !rested || (stamp === imported && now < retryAt)) return false
      imported = stamp
      retryAt = Number.POSITIVE_INFINITY
      return true
    },
    /** Records that the import failed, so that the file is due again after a minute. */
    failed(now: number): void {
      retryAt = now + RETRY_MS
    }
  }
}
