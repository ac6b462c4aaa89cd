import { startThread, type Thread } from './client.ts'

/** See decision 022. More than there are cores: a quick search is then not behind a slow one. */
const MAX_THREADS = 3

/** Another thread starts where so many calls wait for each of those that are there. */
const WAITING = 3

/** A further thread that nobody needed for so long ends, and with it its memory. In milliseconds. */
const IDLE_MS = 30_000

interface Member {
  thread: Promise<Thread>
  /** Calls it has not answered. */
  calls: number
}

interface Pool extends Thread {
  /** Starts the first thread. One that cannot start is tried again with the next call. */
  begin(): void
}

/** The threads that read a library: one, and further ones while many ask at once. */
export function readingPool(file: string, most = MAX_THREADS, idleMs = IDLE_MS): Pool {
  const all: Member[] = []
  let closed = false
  let idle: NodeJS.Timeout | undefined
  let ending: Promise<unknown> = Promise.resolve()

  function start(): Member {
    const member: Member = { thread: startThread('reading', file), calls: 0 }
    all.push(member)
    member.thread.catch(() => all.splice(all.indexOf(member), 1))
    return member
  }

  function least(): Member {
    const [first, ...others] = all
    if (!first) return start()
    const found = others.reduce((one, other) => (other.calls < one.calls ? other : one), first)
    return found.calls >= WAITING && all.length < most ? start() : found
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
    begin() {
      if (!closed && all.length === 0) start()
    },
    /** Makes a call on the thread that has least to do. */
    async call(name, args) {
      if (closed) throw new Error('The library is closed.')
      const member = least()
      member.calls += 1
      try {
        return await (await member.thread).call(name, args)
      } finally {
        member.calls -= 1
        waitForIdle()
      }
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await Promise.all([ending, ...all.map(end)])
    }
  }
}

async function end({ thread }: Member): Promise<void> {
  await (await thread.catch(() => undefined))?.close()
}
