import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DominantColor, PictureFault, PictureLook } from '../contract/picture.ts'
import type { ChildProcess, Pictures, StartProcess } from '../contract/ports.ts'
import type { RawPage, ReadPage } from './read-html.ts'
import { WebFault } from './web-fault.ts'

/** Room a picture is shown in, in pixels. */
export interface Room {
  width: number
  height: number
}

/** As wide as a card on a high-density screen. */
export const PREVIEW_ROOM: Room = { width: 640, height: 480 }

/** A request to the child process, `decoder-child.ts`. */
export type DecoderRequest =
  | { kind: 'read-page'; page: RawPage }
  /** `drawing`: whether an SVG is drawn. */
  | { kind: 'shrink-picture'; bytes: Uint8Array; room: Room; drawing: boolean }
  | { kind: 'inspect-picture'; bytes: Uint8Array }
  | { kind: 'find-colors'; bytes: Uint8Array }

/** The result of a request of this kind. */
export interface Decoded {
  'read-page': ReadPage
  'shrink-picture': Uint8Array | null
  'inspect-picture': PictureLook | { fault: PictureFault }
  'find-colors': DominantColor[]
}

/**
 * An answer, without a value if the code that decodes threw. `isLarge`: the process holds much memory, and should end.
 * Before the first answer, `started`.
 */
export type DecoderReply = { value: Decoded[DecoderRequest['kind']] | undefined; isLarge: boolean } | 'started'

/** How long a request may take on a busy machine, in milliseconds; the process ends itself after 5 s of work. */
export const MAX_DECODING_MS = 15_000

/** A process that has not started by then never will, in milliseconds: a packaged app's takes seconds on a busy machine. */
const MAX_START_MS = 15_000

/** After this time without a request the process ends, in milliseconds: it holds some 100 MB. */
const IDLE_MS = 30_000

/** A content that ended the process this often is not decoded again. */
const MAX_ATTEMPTS = 2

/** Attempts of this many contents are remembered, each for this long, in milliseconds: decoders get better. */
const MAX_REMEMBERED = 1000
const REMEMBERED_MS = 30 * 86_400_000

type Child = ChildProcess<DecoderRequest, DecoderReply>

/** Reads pages and pictures in a process of their own; nothing in their bytes can end or hold up this one. */
export interface Decoder extends Pictures {
  /** @throws WebFault `unreadable` if the page is too much to read */
  readPage(page: RawPage): Promise<ReadPage>
  /**
   * A copy of a picture that fits into the room, as WebP; `null` if the bytes are no picture, or too much of one.
   *
   * @param drawing whether an SVG is drawn
   */
  shrinkPicture(bytes: Uint8Array, room: Room, drawing: boolean): Promise<Uint8Array | null>
  close(): Promise<void>
}

/**
 * Decodes one request after the other in a child process, which starts with the first request, ends when it is idle, and
 * is started again after it was killed.
 *
 * @param folder where attempts are written down, see `openAttempts`
 * @param patience how long a request may take, in milliseconds
 */
export function createDecoder(start: StartProcess, folder: string, patience = MAX_DECODING_MS): Decoder {
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined
  /** Work that waits for its turn. */
  const queue: (() => Promise<void>)[] = []
  let working: Promise<void> | undefined
  let closed = false
  let onReply: (reply: DecoderReply | undefined) => void = () => {}

  function end(): void {
    clearTimeout(idle)
    child?.kill()
    child = undefined
    onReply(undefined)
  }

  /** The child's next reply; `undefined` if it ended instead, or took longer and was killed. */
  function nextReply(limit: number): Promise<DecoderReply | undefined> {
    const timer = setTimeout(end, limit)
    return new Promise<DecoderReply | undefined>((resolve) => {
      onReply = resolve
    }).finally(() => clearTimeout(timer))
  }

  /** Starts the process unless it runs; `undefined` if it does not start. */
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
      return undefined // the system is out of memory, or of processes
    }
  }

  /** The child's answer; `undefined` if it ends or takes too long, `unavailable` if it does not start. */
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
    if (attempts.made >= MAX_ATTEMPTS) return undefined
    clearTimeout(idle)
    // Without room on the disk it is decoded all the same: the process is the first defence, the note the second.
    await attempts.add().catch(() => {})
    // A process that read much before has less room: what ends it without taking long has another try in a new one.
    const isFresh = child === undefined
    const begun = performance.now()
    let reply = await askChild(request)
    if (reply === undefined && !isFresh && !closed && performance.now() - begun < patience)
      reply = await askChild(request)
    // A process that was ended by its owner says nothing about the bytes.
    if (reply !== undefined || closed) await attempts.forget()
    const { value, isLarge } = typeof reply === 'object' ? reply : { value: undefined, isLarge: false }
    if (isLarge) end()
    if (child) idle = setTimeout(end, IDLE_MS).unref()
    return value as Decoded[Kind] | undefined
  }

  async function workOff(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) await next()
    working = undefined
  }

  function decode<Kind extends DecoderRequest['kind']>(request: Extract<DecoderRequest, { kind: Kind }>) {
    return new Promise<Decoded[Kind] | undefined>((resolve, reject) => {
      const turn = () => decodeNow<Kind>(request).then(resolve, reject)
      // Somebody waits for a picture that is saved; pages are read in the background.
      if (request.kind === 'inspect-picture') queue.unshift(turn)
      else queue.push(turn)
      working ??= workOff()
    })
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
    colorsOf: async (bytes) => (await decode<'find-colors'>({ kind: 'find-colors', bytes })) ?? [],
    async close() {
      closed = true
      end()
      await working
    }
  }
}

/**
 * The attempts to decode these bytes, as the length of a file that is named by their hash. It is written before the work
 * and removed after it, so what ends the process, or the whole computer, is known at the next start.
 */
async function openAttempts(folder: string, request: DecoderRequest) {
  const bytes = request.kind === 'read-page' ? request.page.bytes : request.bytes
  // Beside this thread: 20 MB take long.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
  const file = join(folder, `${request.kind}-${hash}`)
  const made = await stat(file).then(
    ({ size, mtimeMs }) => (Date.now() - mtimeMs > REMEMBERED_MS ? 0 : size),
    () => 0
  )
  return {
    made,
    async add() {
      if (made === 0) await makeRoom(folder)
      await writeFile(file, '.'.repeat(made + 1))
    },
    forget: () => rm(file, { force: true })
  }
}

/** Makes the folder, and forgets the oldest attempts if it is full. */
async function makeRoom(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  if (names.length < MAX_REMEMBERED) return
  const files = await Promise.all(names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })))
  const oldest = files.sort((a, b) => a.time - b.time).slice(0, MAX_REMEMBERED / 2)
  for (const { name } of oldest) await rm(join(folder, name), { force: true })
}
