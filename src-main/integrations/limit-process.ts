import { Worker } from 'node:worker_threads'

/** Limits of the work of a child process. */
interface ProcessLimits {
  /** Maximum CPU time of one piece of work, in ms. It does not depend on how busy the machine is. */
  maxCpuMs: number
  /** Maximum time of one piece of work, in ms. */
  maxMs: number
  /** Maximum memory of the process while it works, in bytes. */
  maxRss: number
}

/** Interval of the checks, in ms. */
const WATCH_EVERY_MS = 10

/**
 * The code of the thread that checks the limits. It runs in another thread, because neither native code nor a long loop
 * can be interrupted from its own thread. It is in the same process, because macOS and Windows have no /proc from which
 * another process could read the memory.
 */
const WATCH = `
  const { workerData: { busy, maxCpuMs, maxMs, maxRss, every } } = require('node:worker_threads')
  for (;;) {
    Atomics.wait(busy, 0, 0)
    const deadline = performance.now() + maxMs
    const start = process.cpuUsage()
    while (Atomics.load(busy, 0) === 1) {
      const { user, system } = process.cpuUsage(start)
      const isTooLong = user + system > maxCpuMs * 1000 || performance.now() > deadline
      if (isTooLong || process.memoryUsage.rss() > maxRss) process.kill(process.pid, 'SIGKILL')
      Atomics.wait(busy, 0, 1, every)
    }
  }`

/**
 * Makes this child process kill itself if a piece of work takes too long or too much memory, even if its parent has ended.
 *
 * @returns runs a piece of work under these limits, one at a time
 */
export function limitProcess({
  maxCpuMs,
  maxMs,
  maxRss
}: ProcessLimits): <T>(work: () => T | Promise<T>) => Promise<T> {
  const busy = new Int32Array(new SharedArrayBuffer(4))
  const set = (value: 0 | 1) => {
    Atomics.store(busy, 0, value)
    Atomics.notify(busy, 0)
  }
  new Worker(WATCH, { eval: true, workerData: { busy, maxCpuMs, maxMs, maxRss, every: WATCH_EVERY_MS } })
  return async (work) => {
    set(1)
    try {
      return await work()
    } finally {
      set(0)
    }
  }
}
