import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request as send } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { hc } from 'hono/client'
import { computeProof } from '../actions/keys/credentials.ts'
import { PROOF_PATH } from '../contract/endpoint.ts'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { openOrFind } from '../host/open-library.ts'
import { readServiceFile } from '../host/service-file.ts'
import type { Api } from '../server/api.ts'

/** Timeout of a connection and of a check, in ms. A healthy service takes a few milliseconds. */
const TIMEOUT_MS = 3000

/** The API as a command uses it, with or without a running service. */
export interface Connection {
  /** Whether requests are sent to a running service. */
  running: boolean
  api: ReturnType<typeof hc<Api>>
  /** Starts unfinished background work of earlier writes, if no service runs. A running service starts it itself. */
  catchUp(): Promise<void>
  /** Sends a request whose body may be a stream. `path` is below `/api`. */
  send(path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** The parts of Earmark that a command needs if no service runs. */
interface Needs {
  /** The command fetches pages. */
  fetches?: boolean
  /** The command may create the library. For other commands, a missing folder is a problem. */
  creates?: boolean
  /** The command takes long, so the library starts threads. */
  long?: boolean
}

/** Runs a command's work through the running service, or on the library itself if no service runs. */
export async function withConnection<T>(
  data: string | undefined,
  work: (connection: Connection) => Promise<T>,
  needs: Needs = {}
): Promise<T> {
  const connection = await connect(data, needs)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Makes one call of the API and returns its JSON. @throws the Problem in it */
export function callApi<T>(
  data: string | undefined,
  call: (api: Connection['api']) => Promise<JsonResponse<T>>,
  needs?: Needs
): Promise<T> {
  return withConnection(data, async ({ api }) => read(await call(api)), needs)
}

async function connect(
  data: string | undefined,
  { fetches = false, creates = false, long = false }: Needs
): Promise<Connection> {
  if (!creates) assertFolder(data)
  const folder = prepareDataFolder(data)
  const client = await findRunning(folder)
  const opened = client ? { client } : await openOrFind(folder, { fetches, inPlace: !long })
  const service = 'service' in opened ? opened.service : undefined
  const { url, token, fetch } =
    'service' in opened
      ? { url: 'http://127.0.0.1', token: opened.service.commandToken, fetch: opened.service.fetch }
      : overHttp('client' in opened ? opened.client : createClient(opened.running))
  const call = (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    request.headers.set('authorization', `Bearer ${token}`)
    return fetch(request)
  }
  return {
    running: service === undefined,
    api: hc<Api>(`${url}/api`, { fetch: call }),
    catchUp: async () => service?.begin(),
    send: (path, init) => call(`${url}/api${path}`, init),
    close: async () => service?.close()
  }
}

/**
 * Refuses a missing folder that `--data` names, because the name is probably mistyped.
 *
 * @throws Problem `not-found`
 */
export function assertFolder(data: string | undefined): void {
  if (!data || existsSync(data)) return
  throw new Problem('not-found', `There is no folder ${resolve(data)}. Check --data.`)
}

function overHttp({ url, token, fetch }: ServiceClient): ServiceClient {
  const send = (request: Request) =>
    fetch(request).catch((error) => {
      if (error instanceof Problem) throw error
      throw new Problem('service-unreachable', 'Earmark stopped before it answered. Start it and try again.')
    })
  return { url, token, fetch: send }
}

interface JsonResponse<T> {
  ok: boolean
  status: number
  json(): Promise<T>
}

/** Returns a response's JSON. @throws the Problem in it */
export async function read<T>(response: JsonResponse<T>): Promise<T> {
  if (response.status === 204) return undefined as T
  if (response.ok) return response.json()
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code: ProblemCode; message: string } }
  throw error ? new Problem(error.code, error.message) : new Error(`The service answered ${response.status}.`)
}

/** Returns the service that has the library open, if it is healthy. */
export async function findRunning(folder: string): Promise<ServiceClient | undefined> {
  const facts = readServiceFile(folder)
  if (facts?.folder !== realpathSync(folder)) return undefined
  const client = createClient(facts)
  return assertHealthy(client).then(
    () => client,
    () => undefined
  )
}

/**
 * Whether no process listens at the address any more. The service's process id then belongs to another process, or to a
 * process that has ended and was not reaped yet.
 */
export async function isGone({ url }: { url: string }): Promise<boolean> {
  const { port, hostname } = new URL(url)
  const socket = connectTo({ port: Number(port), host: hostname, timeout: TIMEOUT_MS })
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')])
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
  } finally {
    socket.destroy()
  }
}

/** The running service, as this process reaches it. */
export interface ServiceClient {
  url: string
  token: string
  /**
   * Sends a request. On each connection, the other end must first prove that it is our service.
   *
   * @throws {Unproven} if another program answers
   */
  fetch(request: Request): Promise<Response>
}

export function createClient({ url, token }: { url: string; token: string }): ServiceClient {
  const agent = new ProvingAgent(token)
  return { url, token, fetch: (request) => fetchWith(agent, request) }
}

/**
 * Checks that our service is at its address, and answers.
 *
 * @throws Problem `service-unreachable` if it hangs, or has ended and another program has its port
 */
export async function assertHealthy(client: ServiceClient): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await client.fetch(new Request(`${client.url}${PROOF_PATH}`, { signal })).catch((error) => {
    if (error instanceof Problem) throw error
    throw new Problem('service-unreachable', 'Earmark is running but does not answer. Restart it and try again.')
  })
  await response.text()
}

/** Thrown if another program has the service's address. That program received no secret. */
class Unproven extends Problem {}

/** Whether an error would occur again in a second attempt, even at another address. */
export function isFinal(error: Error): boolean {
  return (error instanceof Problem && !(error instanceof Unproven)) || error.name === 'TimeoutError'
}

/**
 * Uses a connection only after its other end has proved that it has the token of the service file. Another program may
 * have the service's port.
 */
class ProvingAgent extends Agent {
  private readonly token: string

  constructor(token: string) {
    super({ keepAlive: true })
    this.token = token
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    created: (error: Error | null, socket: Duplex) => void = () => {}
  ): undefined {
    const socket = connectTo({ host: host ?? '127.0.0.1', port: Number(port) })
    prove(socket, `${host}:${port}`, this.token).then(
      () => created(null, socket),
      (error) => {
        socket.destroy()
        created(error, socket)
      }
    )
  }
}

/** @throws {Unproven} if the answer does not prove that the other end has the token */
async function prove(socket: Socket, host: string, token: string): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await once(socket, 'connect', { signal })
  const nonce = randomBytes(16).toString('base64url')
  socket.write(`GET ${PROOF_PATH}?nonce=${nonce} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const proof = Buffer.from((await readProof(socket, signal)) ?? '')
  const expected = Buffer.from(computeProof(token, nonce))
  if (proof.length === expected.length && timingSafeEqual(proof, expected)) return
  throw new Unproven(
    'service-unreachable',
    `Another program answers at http://${host}. Stop it, then start Earmark again.`
  )
}

/** Maximum length of the answer with the proof, in characters. */
const MAX_PROOF_LENGTH = 4096

/** Reads exactly one answer, so that the connection can be used afterwards. Returns `undefined` if it is no proof. */
async function readProof(socket: Socket, signal: AbortSignal): Promise<string | undefined> {
  let text = ''
  const ended = once(socket, 'end', { signal }).then(() => undefined)
  ended.catch(() => {})
  for (;;) {
    const piece = await Promise.race([once(socket, 'data', { signal }), ended])
    if (piece === undefined) return undefined
    text += String(piece[0])
    const [head = '', body] = text.split('\r\n\r\n', 2)
    if (text.length > MAX_PROOF_LENGTH) return undefined
    if (body === undefined) continue
    const length = /^HTTP\/1\.1 200 .*^content-length: *(\d+)\r?$/ims.exec(head)?.[1]
    if (length === undefined || body.length > Number(length)) return undefined
    if (body.length === Number(length)) return /^\{"proof":"([\w-]+)"\}$/.exec(body)?.[1]
  }
}

async function fetchWith(agent: Agent, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const sent = send(url, { agent, method, headers: Object.fromEntries(headers), signal })
  void sendBody(request, sent)
  const [answer] = (await once(sent, 'response').catch((error) => {
    throw signal.aborted ? signal.reason : error
  })) as [IncomingMessage]
  sent.on('error', () => {}) // later errors are reported by the body
  const { statusCode = 0, headersDistinct } = answer
  const all = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value]))
  const empty = [204, 304].includes(statusCode)
  if (empty) answer.resume()
  const stream = empty ? null : (Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0])
  return new Response(stream, { status: statusCode, headers: all as [string, string][] })
}

/** Streams a body without a content type. Any other body is sent at once, with its length. */
async function sendBody(request: Request, sent: ClientRequest): Promise<void> {
  const { body, headers } = request
  if (body === null || headers.has('content-type')) sent.end(Buffer.from(await request.arrayBuffer()))
  else await pipeline(Readable.fromWeb(body as ReadableStream), sent).catch((error) => sent.destroy(error))
}
