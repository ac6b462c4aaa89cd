import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopyFault } from '../contract/page-copy.ts'
import type { PictureColors, PictureFault, PictureLook } from '../contract/picture.ts'
import type { ChildProcess, PageCopies, Pictures, StartProcess } from '../contract/ports.ts'
import { createQueue } from '../core/queue.ts'
import type { RawPage, ReadPage } from './read-html.ts'
import { WebFault } from './site-answer.ts'

/** Maximum size of a picture, in pixels. */
export interface Room {
  width: number
  height: number
}

/** The size of a preview, as wide as a card on a high-density screen. */
export const PREVIEW_ROOM: Room = { width: 640, height: 480 }

export type DecoderRequest =
  | { kind: 'read-page'; page: RawPage }
  /** `drawing`: whether the picture may be an SVG. */
  | { kind: 'shrink-picture'; bytes: Uint8Array; room: Room; drawing: boolean }
  | { kind: 'inspect-picture'; bytes: Uint8Array }
  | { kind: 'find-colors'; bytes: Uint8Array }
  | { kind: 'convert-copy'; bytes: Uint8Array<ArrayBuffer> }

/** The results, by the kind of the request. */
export interface Decoded {
  'read-page': ReadPage
  'shrink-picture': Uint8Array | null
  'inspect-picture': PictureLook | { fault: PictureFault }
  'find-colors': PictureColors
  'convert-copy': Uint8Array<ArrayBuffer> | { fault: CopyFault }
}

/** The first reply is `started`. `value` is undefined if decoding threw. `isLarge`: the process uses too much memory. */
export type DecoderReply = { value: Decoded[DecoderRequest['kind']] | undefined; isLarge: boolean } | 'started'

/**
 * Maximum time of a request, in ms. The process ends itself after 5 s of processor time, which take much longer on a
 * busy machine, because its priority is low: beside three busy processes, 15 s were too few for pages that take 0.5 s.
 */
export const MAX_DECODING_MS = 60_000

/** Maximum time to start the process, in ms. In a packaged app this takes seconds on a busy machine. */
const MAX_START_MS = 15_000

/** The process ends after this time without a request, in ms, because it uses some 100 MB. */
const IDLE_MS = 30_000

/** Bytes that have ended the process this many times are not decoded again. */
const MAX_ATTEMPTS = 2

/** Attempts are stored for this many files, and for this time in ms, because later versions may decode the bytes. */
const MAX_REMEMBERED = 1000
const REMEMBERED_MS = 30 * 86_400_000

type Child = ChildProcess<DecoderRequest, DecoderReply>

/** Decodes pages, copies of pages and pictures in another process, so that their bytes cannot end or delay this one. */
export interface Decoder extends Pictures {
  /** @throws WebFault `unreadable` if the page cannot be read within the limits */
  readPage(page: RawPage): Promise<ReadPage>
  /** Returns a copy that fits into `room`, as WebP; `null` if the bytes are no picture, or the picture is too large. */
  shrinkPicture(bytes: Uint8Array, room: Room, drawing: boolean): Promise<Uint8Array | null>
  convertCopy: PageCopies['convert']
  close(): Promise<void>
}

/**
 * Decodes one request at a time in a child process, which starts with the first request and ends when it is idle.
 *
 * @param folder for the files of `openAttempts`
 * @param patience maximum time of a request, in ms
 */
export function createDecoder(start: StartProcess, folder: string, patience = MAX_DECODING_MS): Decoder {
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined
  const queue = createQueue()
  let closed = false
  let onReply: (reply: DecoderReply | undefined) => void = () => {}

  function end(): void {
    clearTimeout(idle)
    child?.kill()
    child = undefined
    onReply(undefined)
  }

  /** Returns the child’s next reply; `undefined` if it ends first, or takes too long and is killed. */
  function nextReply(limit: number): Promise<DecoderReply | undefined> {
    const timer = setTimeout(end, limit)
    return new Promise<DecoderReply | undefined>((resolve) => {
      onReply = resolve
    }).finally(() => clearTimeout(timer))
  }

  /** Starts the process if it does not run; `undefined` if that fails. */
  async function startChild(): Promise<Child | undefined> {
    if (child) return child
    const started = forkChild()
    if (!started) return undefined
    child = started
    started.onReply((reply) => {
      if (child !== started) return
      if (reply === undefined) end()
      else onReply(reply)
    })
    await nextReply(MAX_START_MS)
    return child
  }

  function forkChild(): Child | undefined {
    try {
      return start('decoder-child')
    } catch {
      return undefined // out of memory, or of processes
    }
  }

  /** Returns the child’s answer; `undefined` if it ends or takes too long, `unavailable` if it does not start. */
  async function askChild(request: DecoderRequest): Promise<DecoderReply | 'unavailable' | undefined> {
    const running = await startChild()
    if (!running || closed) return 'unavailable'
    const answered = nextReply(patience)
    running.send(request)
    return answered
  }

  async function decodeNow<Kind extends DecoderRequest['kind']>(
    request: Extract<DecoderRequest, { kind: Kind }>
  ): Promise<Decoded[Kind] | undefined> {
    if (closed) return undefined
    const attempts = await openAttempts(folder, request)
    if (attempts.count >= MAX_ATTEMPTS) return undefined
    clearTimeout(idle)
    // On a full disk the bytes are decoded without the file, because the process alone contains a crash.
    await attempts.add().catch(() => {})
    // A process that has decoded other bytes has less free memory, so bytes that end it are tried again in a new process.
    const isNew = child === undefined
    const startTime = performance.now()
    let reply = await askChild(request)
    if (reply === undefined && !isNew && !closed && performance.now() - startTime < patience)
      reply = await askChild(request)
    // If the decoder was closed, the bytes did not end the child.
    if (reply !== undefined || closed) await attempts.forget()
    const { value, isLarge } = typeof reply === 'object' ? reply : { value: undefined, isLarge: false }
    if (isLarge) end()
    if (child) idle = setTimeout(end, IDLE_MS).unref()
    return value as Decoded[Kind] | undefined
  }

  function decode<Kind extends DecoderRequest['kind']>(request: Extract<DecoderRequest, { kind: Kind }>) {
    // The owner waits while a picture or a copy is saved. Pages are read in the background.
    const urgent = request.kind === 'inspect-picture' || request.kind === 'convert-copy'
    return queue.add(() => decodeNow<Kind>(request), { urgent })
  }

  return {
    async readPage(page) {
      const read = await decode<'read-page'>({ kind: 'read-page', page })
      if (!read) throw new WebFault('unreadable')
      return read
    },
    shrinkPicture: async (bytes, room, drawing) =>
      (await decode<'shrink-picture'>({ kind: 'shrink-picture', bytes, room, drawing })) ?? null,
    inspect: async (bytes) =>
      (await decode<'inspect-picture'>({ kind: 'inspect-picture', bytes })) ?? { fault: 'damaged' },
    colorsOf: async (bytes) =>
      (await decode<'find-colors'>({ kind: 'find-colors', bytes })) ?? { colors: [], ratio: null },
    convertCopy: async (bytes) =>
      (await decode<'convert-copy'>({ kind: 'convert-copy', bytes })) ?? { fault: 'unreadable' },
    async close() {
      closed = true
      end()
      await queue.onIdle()
    }
  }
}

/**
 * Counts the attempts to decode these bytes, as the length of a file whose name is their hash. The file is written
 * before an attempt and removed after it, so that it remains for bytes that end the process or crash the computer.
 */
async function openAttempts(folder: string, request: DecoderRequest) {
  const bytes = request.kind === 'read-page' ? request.page.bytes : request.bytes
  // `createHash` would block the event loop, because the bytes may be 20 MB.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
  const file = join(folder, `${request.kind}-${hash}`)
  const count = await stat(file).then(
    ({ size, mtimeMs }) => (Date.now() - mtimeMs > REMEMBERED_MS ? 0 : size),
    () => 0
  )
  return {
    count,
    async add() {
      if (count === 0) await makeRoom(folder)
      await writeFile(file, '.'.repeat(count + 1))
    },
    forget: () => rm(file, { force: true })
  }
}

/** Creates the folder, and removes the oldest files if it is full. */
async function makeRoom(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  if (names.length < MAX_REMEMBERED) return
  const files = await Promise.all(names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })))
  const oldest = files.sort((a, b) => a.time - b.time).slice(0, MAX_REMEMBERED / 2)
  for (const { name } of oldest) await rm(join(folder, name), { force: true })
}
