import { Worker } from 'node:worker_threads'

/** Limits of the work of a child process. */
interface ProcessLimits {
  /** How much time of the processor one piece of work may take, in milliseconds: how busy the machine is does not count. */
  maxCpuMs: number
  /** How long one piece of work may take, in milliseconds. */
  maxMs: number
  /** How much memory the process may hold while it works, in bytes. */
  maxRss: number
}

/** Time between two readings of the process's memory, in milliseconds. */
const WATCH_EVERY_MS = 10

/**
 * Runs beside the work, because neither native code nor a long loop can be interrupted from its own thread. Reads the memory
 * from within, because macOS and Windows have no /proc.
 */
const WATCH = `
  const { workerData: { busy, maxCpuMs, maxMs, maxRss, every } } = require('node:worker_threads')
  for (;;) {
    Atomics.wait(busy, 0, 0)
    const deadline = performance.now() + maxMs
    const begun = process.cpuUsage()
    while (Atomics.load(busy, 0) === 1) {
      const { user, system } = process.cpuUsage(begun)
      const isTooLong = user + system > maxCpuMs * 1000 || performance.now() > deadline
      if (isTooLong || process.memoryUsage.rss() > maxRss) process.kill(process.pid, 'SIGKILL')
      Atomics.wait(busy, 0, 1, every)
    }
  }`

/**
 * Ends this process, a child, when a piece of its work takes too long or too much memory, also if the process that started
 * it is gone.
 *
 * @returns what runs a piece of work under these limits, one at a time
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
