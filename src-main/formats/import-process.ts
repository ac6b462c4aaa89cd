import { setImmediate } from 'node:timers/promises'
import type { ImportedItem, ReadBatch, ReadOptions } from '../contract/import-format.ts'
import type { Formats, StartProcess } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { createEarmarkReader, earmarkJsonl, writeJsonl } from './earmark-jsonl.ts'
import { writeEpub } from './epub.ts'
import { writeCsv, writeHtml } from './exports.ts'
import { textSize } from './file-bytes.ts'
import { markdownFile, writeMarkdown } from './markdown-files.ts'
import { readWholeFile } from './read-file.ts'

/** Number of bytes that decide whether a file has Earmark's own format. */
const HEAD_SIZE = 1024

/** Smaller texts, in bytes, are read in this process, because starting another process takes longer. */
const SMALL_SIZE = 65_536

/** Number of bytes of Earmark's own format that are read at once. They take a few milliseconds. */
const SLICE_SIZE = 16_384

/** Maximum size of a file that is read as a whole, in bytes. A string cannot contain many more characters. */
const MAX_SIZE = 500_000_000

/** Number of bytes that are sent to the process at once. */
const PIECE_SIZE = 1_048_576

/** Requests to `import-child.ts`: pieces of a file, then the options, then for each further batch. Each gets one reply. */
export type ImportRequest = { piece: Uint8Array } | { options: ReadOptions } | { next: true }
export type ImportReply = { taken: true } | { batch: ReadBatch } | { end: true } | { problem: string } | { bug: string }

/** @param start starts the process that reads large files; if absent, all files are read in this process */
export function openFormats(start?: StartProcess): Formats {
  return {
    exportFormats: [writeJsonl, writeHtml, writeCsv, writeMarkdown, writeEpub],
    markdownFile,
    async *readFile(bytes, { signal, ...options } = {}) {
      const source = untilAborted(bytes, signal)
      try {
        const head = await readUpTo(source, HEAD_SIZE)
        if (isEarmarks(head, options)) {
          yield* readEarmarks(head, source)
          return
        }
        const beginning = Buffer.concat([head, await readUpTo(source, SMALL_SIZE - head.length)])
        const isSmall = beginning.length < SMALL_SIZE && textSize(beginning) < SMALL_SIZE
        yield* start && !isSmall
          ? readInProcess(start, beginning, source, options, signal)
          : readHere(Buffer.concat([beginning, await readUpTo(source, MAX_SIZE)]), options)
      } finally {
        await source.return(undefined)
      }
    }
  }
}

/**
 * Whether a file has Earmark's own format. Such a file is read by lines, because a library may be larger than the memory.
 */
function isEarmarks(head: Uint8Array, { format = earmarkJsonl.id, encoding = 'utf-8' }: ReadOptions): boolean {
  return format === earmarkJsonl.id && encoding === 'utf-8' && earmarkJsonl.recognises(new TextDecoder().decode(head))
}

async function* readEarmarks(head: Uint8Array, source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadBatch> {
  const decoder = new TextDecoder()
  const reader = createEarmarkReader()
  const batch = (items: ImportedItem[], bytes: number): ReadBatch => {
    const found = items.filter((item) => 'url' in item).length
    return { items, bytes, found, encodings: [], passedOver: 0 }
  }
  async function* slices(): AsyncGenerator<Uint8Array> {
    yield head
    for await (const piece of source) {
      for (let start = 0; start < piece.length; start += SLICE_SIZE) yield piece.subarray(start, start + SLICE_SIZE)
    }
  }
  for await (const slice of slices()) {
    yield batch(reader.write(decoder.decode(slice, { stream: true })), slice.length)
    await setImmediate() // other work continues
  }
  yield batch([...reader.write(decoder.decode()), ...reader.end()], 0)
}

async function* readHere(bytes: Uint8Array, options: ReadOptions): AsyncGenerator<ReadBatch> {
  for (const batch of readWholeFile(bytes, options)) {
    yield batch
    await setImmediate() // other work continues
  }
}

/**
 * Sends a file to a separate process, and yields its batches. Each batch is requested while the previous batch is used.
 */
async function* readInProcess(
  start: StartProcess,
  beginning: Uint8Array,
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  signal: AbortSignal | undefined
): AsyncGenerator<ReadBatch> {
  const child = startChild(start, signal)
  let size = 0

  async function send(bytes: Uint8Array): Promise<void> {
    size += bytes.length
    if (size > MAX_SIZE) throw new Problem('invalid', TOO_LARGE)
    for (let offset = 0; offset < bytes.length; offset += PIECE_SIZE) {
      // A copy, because a view would be sent with its whole buffer.
      await child.ask({ piece: bytes.slice(offset, offset + PIECE_SIZE) })
    }
  }

  try {
    await send(beginning)
    for await (const piece of source) await send(piece)
    let reply = await child.ask({ options })
    while ('batch' in reply) {
      const next = child.ask({ next: true })
      next.catch(() => {}) // reported when it is awaited
      yield reply.batch
      reply = await next
    }
  } finally {
    child.kill()
  }
}

/** Starts the process, which answers one request at a time. */
function startChild(start: StartProcess, signal: AbortSignal | undefined) {
  const child = start<ImportRequest, ImportReply>('import-child')
  let onReply: (reply: ImportReply) => void = () => {}
  let ended = false
  child.onReply((reply) => {
    ended ||= reply === undefined
    onReply(reply ?? { problem: TOO_MUCH })
  })
  return {
    /** @throws Problem `invalid` if the file cannot be read, or the process ended */
    async ask(request: ImportRequest): Promise<ImportReply> {
      if (ended) throw new Problem('invalid', TOO_MUCH)
      const { promise, resolve } = Promise.withResolvers<ImportReply>()
      onReply = resolve
      child.send(request)
      const reply = await orAborted(promise, signal)
      if ('problem' in reply) throw new Problem('invalid', reply.problem)
      if ('bug' in reply) throw new Error(reply.bug)
      return reply
    },
    kill: () => child.kill()
  }
}

const TOO_LARGE = 'This file is larger than 500 MB. Export fewer bookmarks at a time, or without their icons.'
const TOO_MUCH =
  'This file cannot be imported. Reading it takes more memory or time than Earmark allows. Export fewer bookmarks at a time.'

/** Reads at least this number of bytes, or the rest of the file. */
async function readUpTo(source: AsyncGenerator<Uint8Array>, size: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (let length = 0; length < size; ) {
    const { done, value } = await source.next()
    if (done) break
    pieces.push(value)
    length += value.length
  }
  return Buffer.concat(pieces)
}

/**
 * Yields the pieces of a file until the signal is aborted, even if the next piece does not arrive.
 *
 * @throws the signal's reason, because the last record before it may be incomplete
 */
async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await orAborted(pieces.next(), signal)
      if (done) return
      yield value
    }
  } finally {
    void pieces.return?.().catch(() => {}) // nobody waits for a sender that stalls
  }
}

/** Waits for a promise or the signal. The listener is removed then, because it would keep each piece in memory. */
function orAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    waited.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}
