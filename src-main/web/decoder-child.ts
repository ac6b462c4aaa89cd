/**
 * Decodes strangers' bytes (pages, PDFs, pictures) in a process of its own, because what decodes them can crash, hang or
 * take all memory, and none of that can be contained in a thread: V8's fatal errors and a native crash end the process,
 * and native code cannot be interrupted. One request at a time.
 */
import { constants, setPriority } from 'node:os'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { type Decoded, type DecoderReply, type DecoderRequest, MAX_DECODING_MS } from './decoder.ts'

/** The process ends if it holds more, in bytes: an interlaced PNG of 40 million pixels takes 250 MB. */
const MAX_RSS = 380 * 2 ** 20

/** Time between two readings of the process's memory, in milliseconds. */
const WATCH_EVERY_MS = 10

/** Shared with the watching thread: 1 while a request is being worked on. */
const busy: Int32Array = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : workerData
if (isMainThread) await answerRequests()
else watch()

async function answerRequests(): Promise<void> {
  new Worker(new URL(import.meta.url), { workerData: busy, stdout: false, stderr: false })
  // Searches and saves go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const [pictures, pages] = await Promise.all([import('./pictures.ts'), import('./read-page.ts')])

  async function decode(request: DecoderRequest): Promise<Decoded[DecoderRequest['kind']]> {
    switch (request.kind) {
      case 'read-page':
        return pages.readPage(request.page)
      case 'shrink-picture':
        return pictures.shrinkPicture(request.bytes, request.room, request.drawing)
      case 'inspect-picture':
        return pictures.inspectPicture(request.bytes)
      case 'find-colors':
        return pictures.colorsOfPicture(request.bytes)
    }
  }

  async function answer(request: DecoderRequest): Promise<void> {
    setBusy(1)
    const reply: DecoderReply = await decode(request).then(
      (value) => ({ value }),
      () => 'failed'
    )
    setBusy(0)
    send(reply)
  }

  // Electron's utility process has a port instead of Node's IPC.
  const port = process.parentPort
  const send = (reply: DecoderReply) => (port ? port.postMessage(reply) : process.send?.(reply))
  if (port) port.on('message', ({ data }) => answer(data as DecoderRequest))
  else process.on('message', (request: DecoderRequest) => answer(request)).on('disconnect', () => process.exit())
  send('started')
}

function setBusy(value: 0 | 1): void {
  Atomics.store(busy, 0, value)
  Atomics.notify(busy, 0)
}

/**
 * Ends the process when a request takes too long or too much memory, also if the process that started this one is gone.
 * Reads the memory from within, because macOS and Windows have no /proc.
 */
function watch(): void {
  for (;;) {
    Atomics.wait(busy, 0, 0)
    // The owner of this process kills it a little earlier, unless that is gone.
    const deadline = performance.now() + 2 * MAX_DECODING_MS
    while (Atomics.load(busy, 0) === 1) {
      if (performance.now() > deadline || process.memoryUsage.rss() > MAX_RSS) process.kill(process.pid, 'SIGKILL')
      Atomics.wait(busy, 0, 1, WATCH_EVERY_MS)
    }
  }
}
