import { hash } from 'node:crypto'
import { Command, Option } from 'commander'
import { z } from 'zod'
import { type HostAnswer, type HostAnswers, HostRequest } from '../../contract/extension.ts'
import { EXTENSION, EXTENSION_TOKEN } from '../../contract/extension-id.ts'
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

/** `earmark mcp-stdio`, for editors that start a program instead of calling an address */
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
  // Loaded only here: it holds the endpoint's tools and schemas, which `--help` and the browser do without.
  const { speakStdio } = await import('../stdio-bridge.ts')
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
  await speakStdio(findTarget, { underscoreNames }, host)
}

/** `earmark native-host`, for the browser extension. Browsers start it, and pass which extension wants it. */
export function nativeHostCommand(host: CommandProcess): Command {
  return (
    new Command('native-host')
      .description('speak with the browser extension over standard input and output; browsers start it')
      .argument('[caller...]', 'what the browser says of the extension')
      .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
      // On Windows browsers add an option of their own.
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
  await speakFrames(createFindService({ data, start: startService, howToStart: howToStart() }), host)
}

/** Chromium passes the extension's origin; Firefox the path of the manifest, then the extension's id. */
function isOwnExtension([first, second]: string[]): boolean {
  return first === `chrome-extension://${EXTENSION.chromium}/` || second === EXTENSION.firefox
}

/** Timeout of a request, in ms: a service that takes this long hangs. */
const TIMEOUT_MS = 60_000

/**
 * Answers the extension's messages until the input ends, and finishes those under way. A message can only be answered: the
 * one thing that ends this is a frame over the maximum size.
 */
async function speakFrames(findService: FindService, host: CommandProcess): Promise<void> {
  const underWay = new Set<Promise<void>>()
  // A browser that has ended reads no answers; its requests are carried out all the same.
  host.stdout.removeAllListeners('error').on('error', () => {})
  const send = (message: HostAnswer) => void host.stdout.write(frameOf(message))
  try {
    for await (const text of framesOf(standardInput(host))) {
      const work = answerFrame(text, findService).then((message) => {
        send(message)
        underWay.delete(work)
      })
      underWay.add(work)
    }
  } catch (error) {
    send(failure(null, error))
  }
  await Promise.all(underWay)
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

/** The service may have restarted since the last request. Every request can be repeated. */
async function forward(ask: HostRequest['ask'], page: object, findService: FindService) {
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

/** The command line's own token permits much more, so only this one is sent. */
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

/** A frame is a length in four bytes, in the machine's byte order, and as many bytes of UTF-8. */
const HEAD_BYTES = 4

/** Maximum frame size, in bytes: that of a request. */
export const MAX_FRAME_BYTES = 1024 * 1024

/**
 * Reads the frames of an input, as text. An incomplete frame at the end is ignored.
 *
 * @throws Problem `too-large` at a frame over the maximum size: where the next one begins is unknown
 */
export async function* framesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece])
    for (let size = sizeOf(rest); size !== undefined && rest.length >= HEAD_BYTES + size; size = sizeOf(rest)) {
      yield rest.toString('utf8', HEAD_BYTES, HEAD_BYTES + size)
      rest = rest.subarray(HEAD_BYTES + size)
    }
  }
}

/** Writes a message as a frame. */
export function frameOf(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Every system that Earmark runs on is little-endian. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const size = bytes.readUInt32LE()
  if (size <= MAX_FRAME_BYTES) return size
  throw new Problem('too-large', `A message has at most ${MAX_FRAME_BYTES} bytes.`)
}
