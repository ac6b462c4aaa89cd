import type { ThreadReads } from './reading.ts'
import { startThread, type Thread } from './thread.ts'

/** See decision 022. More than there are cores: a quick search is then not behind a slow one. */
const MOST_THREADS = 3

/** Another thread starts where so many calls wait for each of those that are there. */
const WAITING = 3

/** A further thread that nobody needed for so long ends, and with it its memory. In milliseconds. */
const IDLE_MS = 30_000

interface Reading {
  thread: Promise<Thread<ThreadReads>>
  /** Calls it has not answered. */
  calls: number
}

/** The threads that read a library: one, and further ones while many ask at once. */
export function readingThreads(file: string, most = MOST_THREADS, idleMs = IDLE_MS) {
  const all: Reading[] = []
  let closed = false
  let idle: NodeJS.Timeout | undefined
  let ending: Promise<unknown> = Promise.resolve()

  function start(): Reading {
    const reading: Reading = { thread: startThread<ThreadReads>('reading', file), calls: 0 }
    all.push(reading)
    reading.thread.catch(() => all.splice(all.indexOf(reading), 1))
    return reading
  }

  function least(): Reading {
    const [first, ...others] = all
    if (!first) return start()
    const found = others.reduce((one, other) => (other.calls < one.calls ? other : one), first)
    return found.calls >= WAITING && all.length < most ? start() : found
  }

  async function end({ thread }: Reading): Promise<void> {
    await (await thread.catch(() => undefined))?.close()
  }

  function endIdle(): void {
    idle = undefined
    const [first, ...others] = all
    if (!first || all.some(({ calls }) => calls > 0)) return
    all.length = 1
    // One that fails has ended, too.
    ending = Promise.allSettled([ending, ...others.map(end)])
  }

  function waitForIdle(): void {
    if (all.length === 1 || closed) return
    idle ??= setTimeout(endIdle, idleMs).unref()
    idle.refresh()
  }

  return {
    /** Makes a call on the thread that has least to do. */
    async call(name: string, args: unknown[]): Promise<unknown> {
      if (closed) throw new Error('The library is closed.')
      const reading = least()
      reading.calls += 1
      try {
        return await (Reflect.get(await reading.thread, name) as (...args: unknown[]) => unknown)(...args)
      } finally {
        reading.calls -= 1
        waitForIdle()
      }
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(idle)
      await Promise.all([ending, ...all.map(end)])
    }
  }
}
