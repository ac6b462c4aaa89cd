import { hash } from 'node:crypto'
import { z } from 'zod'
import { type HostAnswer, type HostAnswers, HostRequest } from '../../contract/extension.ts'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'
import { errorBody, Problem } from '../../contract/problem.ts'
import { standardInput } from '../../host/standard-input.ts'
import type { CommandProcess } from '../command.ts'
import { read } from '../connect.ts'
import { isFinal } from '../service-client.ts'
import type { FindService } from './find-service.ts'

/** A call takes milliseconds; a service that takes this long is stuck. */
const TIMEOUT_MS = 60_000

/**
 * Speaks with the browser extension over standard input and output until the input ends, and ends what is under way.
 * Nothing an extension sends does more than be answered; only a frame larger than any that is taken ends it.
 */
export async function speakFrames(findService: FindService, host: CommandProcess): Promise<void> {
  const underWay = new Set<Promise<void>>()
  // A browser that is gone reads no answers; what it asked for is done all the same.
  host.stdout.removeAllListeners('error').on('error', () => {})
  const say = (message: HostAnswer) => void host.stdout.write(frameOf(message))
  try {
    for await (const text of framesOf(standardInput(host))) {
      const work = answerFrame(text, findService).then((message) => {
        say(message)
        underWay.delete(work)
      })
      underWay.add(work)
    }
  } catch (error) {
    say(failure(null, error))
  }
  await Promise.all(underWay)
}

/** Answers one message, whatever it is. */
async function answerFrame(text: string, findService: FindService): Promise<HostAnswer> {
  let id: number | null = null
  try {
    const message = readMessage(text)
    id = idOf(message)
    const { ask, page } = readRequest(message)
    return { id: id ?? 0, answer: await carry(ask, page, findService) }
  } catch (error) {
    return failure(id, error)
  }
}

/** The service may have gone and come back since the last call. What is asked can be repeated. */
async function carry(ask: HostRequest['ask'], page: object, findService: FindService) {
  const response = await post(ask, page, findService, false).catch((error) => {
    if (isFinal(error)) throw error
    return post(ask, page, findService, true)
  })
  if (response.status === 401) throw new Problem('unauthorized', 'Earmark was updated while it ran. Restart it.')
  return read(response as Response & { json(): Promise<HostAnswers[keyof HostAnswers]> })
}

async function post(ask: string, page: object, findService: FindService, lost: boolean): Promise<Response> {
  const { url, token, fetch } = await findService(lost)
  return fetch(
    new Request(`${url}/api/extension/${ask}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${extensionToken(token)}` },
      body: JSON.stringify(page),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
  )
}

/** All that is presented from here on: the command line's own token opens much more. */
function extensionToken(token: string): string {
  return hash('sha256', `${EXTENSION_TOKEN} ${token}`, 'base64url')
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid', 'The message is not JSON.')
  }
}

const WithId = z.object({ id: z.int() })

function idOf(message: unknown): number | null {
  return WithId.safeParse(message).data?.id ?? null
}

function readRequest(message: unknown): HostRequest {
  const { data, error } = HostRequest.safeParse(message)
  if (data) return data
  throw new Problem('invalid', error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}

function failure(id: number | null, error: unknown): HostAnswer {
  const { code, message } =
    error instanceof Problem ? error : { code: 'internal', message: 'Earmark does not answer. Try again shortly.' }
  return { id, ...errorBody(code, message) }
}

/** A frame is a length in four bytes, in the machine's own order, and as many bytes of UTF-8. */
const HEAD = 4

/** Largest frame taken, in bytes: as much as a request may have. */
export const MOST_FRAME = 1024 * 1024

/**
 * The frames of an input, as text. An input that ends within one ends with the one before.
 *
 * @throws Problem `too-large` at a frame that says it is larger than any that is taken: where the next begins is unknown
 */
export async function* framesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece])
    for (let size = sizeOf(rest); size !== undefined && rest.length >= HEAD + size; size = sizeOf(rest)) {
      yield rest.toString('utf8', HEAD, HEAD + size)
      rest = rest.subarray(HEAD + size)
    }
  }
}

/** A message as the browser reads it. */
export function frameOf(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Every system this runs on has the least byte first. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD) return undefined
  const size = bytes.readUInt32LE()
  if (size <= MOST_FRAME) return size
  throw new Problem('too-large', `A message has at most ${MOST_FRAME} bytes.`)
}
