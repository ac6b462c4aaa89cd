import type { Caller } from '../contract/caller.ts'
import { Problem } from '../contract/problem.ts'
import { inSteadyTime } from './steady-time.ts'

/** Calls of one key of the owner's that are made at once: enough to have all reading threads at work. */
const AT_ONCE = 8

/** Calls of one caller that wait. Each may hold a body of a megabyte. */
const MOST_WAITING = 256

/** Nobody's turn takes longer to come, in milliseconds. */
const LONGEST_WAIT_MS = 10_000

/** The calls of one caller. Each of those that wait is begun by calling its function. */
interface Line {
  running: number
  waiting: Set<() => void>
}

/**
 * Makes what gives every caller its turns, so that none can take all of the library's threads: some calls of a key at
 * once, and one of an organization, whatever its key, in steady time. Side by side, what an organization's calls pass over
 * would add up to more than the steps hide: 20 searches for the beginning of 9,000 private words took 139 ms together,
 * where 20 for a beginning that nobody has took 26. A call that nobody waits for any more loses its turn.
 *
 * @throws Problem `too-many` where too many wait, or a turn does not come in time
 */
export function createTurns(longestWaitMs = LONGEST_WAIT_MS) {
  const lines = new Map<string, Line>()

  return async <T>(
    { owner, keyId }: Caller,
    asked: { readonly signal: AbortSignal },
    work: () => Promise<T>
  ): Promise<T> => {
    const name = owner === null ? `key ${keyId}` : `organization ${owner}`
    const line = lines.get(name) ?? { running: 0, waiting: new Set() }
    lines.set(name, line)
    if (line.running < (owner === null ? AT_ONCE : 1)) line.running += 1
    else await comesUp(line, asked.signal, longestWaitMs)
    try {
      return await (owner === null ? work() : inSteadyTime(work))
    } finally {
      const [next] = line.waiting
      if (next) next()
      else if (--line.running === 0) lines.delete(name)
    }
  }
}

/** Waits until a call before hands its place on. */
async function comesUp({ waiting }: Line, signal: AbortSignal, longestWaitMs: number): Promise<void> {
  if (signal.aborted || waiting.size >= MOST_WAITING) throw busy()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const begin = () => {
    waiting.delete(begin)
    resolve()
  }
  const giveUp = () => {
    waiting.delete(begin)
    reject(busy())
  }
  const limit = setTimeout(giveUp, longestWaitMs)
  signal.addEventListener('abort', giveUp)
  waiting.add(begin)
  await promise.finally(() => clearTimeout(limit))
}

function busy(): Problem {
  return new Problem('too-many', 'Too many calls wait for an answer. Try again shortly.')
}
