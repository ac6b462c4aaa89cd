import { Worker } from 'node:worker_threads'
import type { RawPage, ReadPage } from './read-html.ts'
import { WebFault } from './web-fault.ts'

/** A page that takes longer to read, in milliseconds, is not read. */
const TIMEOUT_MS = 10_000

/** Without a page for so long the thread ends: it holds some megabytes. */
const IDLE_MS = 30_000

/** Far more than two megabytes of any page need, as a tree. */
const MOST_MEMORY_MB = 256

/**
 * Reads pages one after the other on a thread of its own, which starts with the first and is replaced when a page proves
 * too much for it.
 */
export function createPageReader(patience = TIMEOUT_MS) {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** Takes what came of the page that is being read; nothing when it was too much. */
  let finish: (read?: ReadPage) => void = () => {}

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    finish()
    await ending?.terminate()
  }

  function start(): Worker {
    // Built beside what starts it.
    const program = new URL('./page-thread.js', import.meta.url)
    const started = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } })
    const gone = () => {
      if (thread === started) void end()
    }
    started.on('message', (read: ReadPage) => thread === started && finish(read))
    started.on('error', gone).on('exit', gone)
    started.unref()
    return started
  }

  async function readNow(page: RawPage): Promise<ReadPage> {
    clearTimeout(idle)
    thread ??= start()
    // A PDF has up to 20 MB: given away, they are not copied.
    thread.postMessage(page, [page.bytes.buffer])
    const timer = setTimeout(end, patience)
    const read = await new Promise<ReadPage | undefined>((resolve) => {
      finish = resolve
    })
    clearTimeout(timer)
    if (!read) throw new WebFault('unreadable')
    idle = setTimeout(end, IDLE_MS).unref()
    return read
  }

  return {
    /**
     * @param page whose bytes are given away
     * @throws WebFault `unreadable` when the page is too much to read
     */
    read(page: RawPage): Promise<ReadPage> {
      const reading = last.then(() => readNow(page))
      last = reading.catch(() => {})
      return reading
    },
    close: end
  }
}
