import { onTestFinished } from 'vitest'
import type { Ports } from '../../src-main/actions/ports.ts'
import type { Changes } from '../../src-main/contract/change.ts'
import type { Web } from '../../src-main/contract/ports.ts'
import { link, PRIVATE, testPorts } from './ports.ts'

interface Worker {
  start(): void
  close(): Promise<void>
}

/** What a page or a link of the web answers; a hanging request ends when it is aborted. */
export type Answer<Reading> = Reading | 'hang' | Error

/**
 * A library with a worker that reads a web of the test's, through the method `readPage` or `checkLink`.
 *
 * @param change replaces methods of the library for the worker
 */
export async function workerOnWeb<Method extends 'readPage' | 'checkLink'>(
  method: Method,
  answer: (url: string) => Answer<Awaited<ReturnType<Web[Method]>>>,
  create: (ports: Ports & { web: Web }, changes: Changes, onError: (error: unknown) => void) => Worker,
  {
    isConnected = () => true,
    change = () => ({})
  }: { isConnected?: () => boolean; change?: (library: Ports['library']) => Partial<Ports['library']> } = {}
) {
  const open = await testPorts()
  const requested: string[] = []
  const running = new Set<string>()
  let maxRunning = 0

  async function read(url: string, signal: AbortSignal) {
    requested.push(url)
    running.add(url)
    maxRunning = Math.max(maxRunning, running.size)
    try {
      const reading = answer(url)
      if (reading instanceof Error) throw reading
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        if (reading !== 'hang') setImmediate(resolve)
      })
      return reading
    } finally {
      running.delete(url)
    }
  }

  const web = {
    readPage: async () => ({ fault: 'unreadable', again: false }),
    readPicture: async () => null,
    checkLink: async () => ({ movedTo: null }),
    isConnected,
    close: async () => {},
    [method]: read
  } as Web
  const errors: unknown[] = []
  const ports = { ...open, library: { ...open.library, ...change(open.library) }, web }
  const newWorker = () => {
    const worker = create(ports, open.changes, (error) => errors.push(error))
    worker.start()
    return worker
  }
  let worker = newWorker()
  onTestFinished(() => worker.close())
  return {
    ...ports,
    requested,
    errors,
    running,
    maxRunning: () => maxRunning,
    close: () => worker.close(),
    restart() {
      worker = newWorker()
    },
    async save(...urls: string[]): Promise<string[]> {
      const placement = { ...PRIVATE, savedAt: open.clock.time }
      const drafts = urls.map((url) => link(url))
      return (await open.library.saveBookmarks(placement, drafts)).map(({ id }) => id)
    },
    /** Moves the clock on and wakes the worker. */
    async later(milliseconds: number) {
      open.clock.time += milliseconds
      await open.library.writeSettings({ fetchDetails: true })
    }
  }
}
