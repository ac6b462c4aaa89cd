import { Command, Option } from 'commander'
import { z } from 'zod'
import { extensionToken } from '../../actions/keys/credentials.ts'
import { type HostAnswer, type HostAnswers, HostRequest } from '../../contract/extension.ts'
import { EXTENSION } from '../../contract/extension-id.ts'
import { errorBody, Problem } from '../../contract/problem.ts'
import { asTyped, howToStart, standardInput } from '../../host/own-program.ts'
import type { CommandProcess, CommonOptions } from '../command.ts'
import { createFindService, createFindTarget, type FindService, startService } from '../find-service.ts'
import { isFinal, read } from '../service-client.ts'

interface BridgeOptions extends CommonOptions {
  keyId?: string
  names?: 'underscore'
  start: boolean
}

/** `earmark mcp-stdio`, for editors that start a program instead of connecting to an address. */
export function mcpStdioCommand(host: CommandProcess): Command {
  return new Command('mcp-stdio')
    .description('speak MCP over standard input and output; starts the service when a call needs it')
    .option('--key-id <id>', 'the key to use, from keys list (default: EARMARK_KEY, or the only key that is stored)')
    .addOption(new Option('--names <form>', 'list tool names without a dot').choices(['underscore']))
    .option('--no-start', 'never start the service')
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .action((options: BridgeOptions) => bridge(options, host))
}

async function bridge({ data, keyId, names, start }: BridgeOptions, host: CommandProcess): Promise<void> {
  // Loaded only here, because it contains the tools and schemas of the endpoint, which `--help` and the native host do
  // not need.
  const { serveStdio } = await import('../stdio-bridge.ts')
  const underscoreNames = names === 'underscore'
  const findTarget = createFindTarget({
    data,
    keyId,
    underscoreNames,
    start: start ? startService : undefined,
    advice: {
      start: howToStart(),
      makeKey: `Create one with ${asTyped('earmark keys create --name NAME')}`,
      chooseKey: 'Choose one with --key-id'
    }
  })
  await serveStdio(findTarget, { underscoreNames }, host)
}

/** `earmark native-host`, for the browser extension. Browsers start it, and pass the extension's id. */
export function nativeHostCommand(host: CommandProcess): Command {
  return (
    new Command('native-host')
      .description('speak with the browser extension over standard input and output; browsers start it')
      .argument('[caller...]', 'what the browser says of the extension')
      .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
      // On Windows browsers add another option.
      .allowUnknownOption()
      .action((caller: string[], { data }: { data?: string }) => answerExtension(caller, data, host))
  )
}

async function answerExtension(caller: string[], data: string | undefined, host: CommandProcess): Promise<void> {
  if (!isOwnExtension(caller)) {
    throw new Problem(
      'forbidden',
      'Only Earmark’s own browser extension can use this command. To set it up: earmark connect'
    )
  }
  await answerFrames(createFindService({ data, start: startService, howToStart: howToStart() }), host)
}

/** Chromium passes the extension's origin; Firefox the path of the manifest, then the extension's id. */
function isOwnExtension([first, second]: string[]): boolean {
  return first === `chrome-extension://${EXTENSION.chromium}/` || second === EXTENSION.firefox
}

const TIMEOUT_MS = 60_000

/**
 * Answers the extension's messages until the input ends or has a frame over the maximum size, and then finishes running
 * requests. Every other error is the answer to its message.
 */
async function answerFrames(findService: FindService, host: CommandProcess): Promise<void> {
  const running = new Set<Promise<void>>()
  // A browser that has ended reads no answers. Its requests are completed nevertheless.
  host.stdout.removeAllListeners('error').on('error', () => {})
  const send = (message: HostAnswer) => void host.stdout.write(encodeFrame(message))
  try {
    for await (const text of readFrames(standardInput(host))) {
      const work = answerFrame(text, findService).then((message) => {
        send(message)
        running.delete(work)
      })
      running.add(work)
    }
  } catch (error) {
    send(failure(null, error))
  }
  await Promise.all(running)
}

async function answerFrame(text: string, findService: FindService): Promise<HostAnswer> {
  let id: number | null = null
  try {
    const message = readMessage(text)
    id = WithId.safeParse(message).data?.id ?? null
    const { ask, page } = readRequest(message)
    return { id: id ?? 0, answer: await forward(ask, page, findService) }
  } catch (error) {
    return failure(id, error)
  }
}

const WithId = z.object({ id: z.int() })

/** Repeats a request that failed, because the service may have restarted. Every request can be repeated. */
async function forward(ask: HostRequest['ask'], page: object, findService: FindService) {
  const response = await post(ask, page, findService, false).catch((error) => {
    if (isFinal(error)) throw error
    return post(ask, page, findService, true)
  })
  if (response.status === 401) throw new Problem('unauthorized', 'Earmark was updated while it ran. Restart it.')
  return read(response as Response & { json(): Promise<HostAnswers[keyof HostAnswers]> })
}

async function post(ask: string, page: object, findService: FindService, lost: boolean): Promise<Response> {
  const { url, token, fetch } = await findService({ lost })
  return fetch(
    new Request(`${url}/api/extension/${ask}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${extensionToken(token)}` },
      body: JSON.stringify(page),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
  )
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid', 'The message is not JSON.')
  }
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

/** A frame is a length in four bytes, in the machine's byte order, and then this number of bytes of UTF-8. */
const HEAD_BYTES = 4

/** Maximum size of a frame, in bytes. A request's body has the same maximum. */
export const MAX_FRAME_BYTES = 1024 * 1024

/**
 * Reads the frames of an input, as text. An incomplete frame at the end is ignored.
 *
 * @throws Problem `too-large` at a frame over the maximum size, because the beginning of the next frame is then unknown
 */
export async function* readFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece])
    for (let size = sizeOf(rest); size !== undefined && rest.length >= HEAD_BYTES + size; size = sizeOf(rest)) {
      yield rest.toString('utf8', HEAD_BYTES, HEAD_BYTES + size)
      rest = rest.subarray(HEAD_BYTES + size)
    }
  }
}

export function encodeFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Reads the size of the first frame, if it has arrived. Every system that Earmark runs on is little-endian. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const size = bytes.readUInt32LE()
  if (size <= MAX_FRAME_BYTES) return size
  throw new Problem('too-large', `A message has at most ${MAX_FRAME_BYTES} bytes.`)
}
