import type { Caller } from '../contract/caller.ts'
import { Problem } from '../contract/problem.ts'

/**
 * Maximum number of running calls of a key or an organization: the reading thread answers one call, and one call waits.
 * So a call of another key waits for at most two calls of a busy key.
 */
const MAX_RUNNING = 2

/** Maximum number of waiting calls of a key or an organization. Each may have a body of 1 MB. */
const MAX_WAITING = 256

/** Maximum wait in the queue, in ms. */
const MAX_WAIT_MS = 10_000

/** The calls of one caller. Each function in `waiting` starts its call. */
interface Queue {
  running: number
  waiting: Set<() => void>
}

/**
 * Returns a function that runs a call in the queue of its caller, so that no caller can occupy all threads of the
 * library. Each key of the profile has a queue. The keys of an organization share a queue. A call whose client
 * disconnects while it waits is dropped. Throws Problem `too-many` if too many calls wait, or the call waited too long.
 */
export function createQueues(maxWaitMs = MAX_WAIT_MS) {
  const queues = new Map<string, Queue>()

  return async <T>({ owner, keyId }: Caller, request: Pick<Request, 'signal'>, work: () => Promise<T>): Promise<T> => {
    const name = owner === null ? `key ${keyId}` : `organization ${owner}`
    const queue = queues.get(name) ?? { running: 0, waiting: new Set() }
    queues.set(name, queue)
    if (queue.running < MAX_RUNNING) queue.running += 1
    else await waitForSlot(queue, request.signal, maxWaitMs)
    try {
      return await work()
    } finally {
      const [next] = queue.waiting
      if (next) next()
      else if (--queue.running === 0) queues.delete(name)
    }
  }
}

/** Waits until a call that ends hands over its slot. */
async function waitForSlot({ waiting }: Queue, signal: AbortSignal, maxWaitMs: number): Promise<void> {
  if (signal.aborted || waiting.size >= MAX_WAITING) throw busy()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const begin = () => {
    waiting.delete(begin)
    resolve()
  }
  const giveUp = () => {
    waiting.delete(begin)
    reject(busy())
  }
  const limit = setTimeout(giveUp, maxWaitMs)
  signal.addEventListener('abort', giveUp)
  waiting.add(begin)
  await promise.finally(() => clearTimeout(limit))
}

function busy(): Problem {
  return new Problem('too-many', 'Too many calls wait for an answer. Try again shortly.')
}
