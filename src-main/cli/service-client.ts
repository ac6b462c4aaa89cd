import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Problem } from '../contract/problem.ts'

/** A service that is well answers in milliseconds. */
const TIMEOUT_MS = 3000

/** A proof is far shorter, in bytes. */
const MOST_PROOF = 4096

/** Somebody answers where the service was, and it is not the service: it was sent nothing secret. */
class Unproven extends Problem {}

/** Whether asking once more, where the service may be now, cannot help. */
export function isFinal(error: Error): boolean {
  return (error instanceof Problem && !(error instanceof Unproven)) || error.name === 'TimeoutError'
}

/** The running service, as this process reaches it. */
export interface ServiceClient {
  url: string
  token: string
  /**
   * Asks the service. Each connection proves first that our service is at its other end.
   *
   * @throws {Unproven} when another program is
   */
  fetch(request: Request): Promise<Response>
}

/** @param facts what the service left in its file */
export function clientOf({ url, token }: { url: string; token: string }): ServiceClient {
  const agent = new ProvingAgent(token)
  return { url, token, fetch: (request) => ask(agent, request) }
}

/**
 * Makes sure that our service is at the address it left, and well.
 *
 * @throws Problem `service-unreachable` when it is stuck, or gone and another program has its port
 */
export async function assertWell(client: ServiceClient): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await client.fetch(new Request(`${client.url}/api/proof`, { signal })).catch((error) => {
    if (error instanceof Problem) throw error
    throw new Problem('service-unreachable', 'Earmark is running but does not answer. Restart it and try again.')
  })
  await response.text()
}

/** Gives a connection away only after whoever is at its other end has proved to know the service file's token. */
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
    const socket = connect({ host: host ?? '127.0.0.1', port: Number(port) })
    prove(socket, `${host}:${port}`, this.token).then(
      () => created(null, socket),
      (error) => {
        socket.destroy()
        created(error, socket)
      }
    )
  }
}

/** @throws {Unproven} when the answer is not that of who knows the token */
async function prove(socket: Socket, host: string, token: string): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await once(socket, 'connect', { signal })
  const nonce = randomBytes(16).toString('base64url')
  socket.write(`GET /api/proof?nonce=${nonce} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const answer = await readAnswer(socket, signal)
  const [given, due] = [answer, createHmac('sha256', token).update(nonce).digest('base64url')].map((one) =>
    Buffer.from(one ?? '')
  ) as [Buffer, Buffer]
  if (given.length === due.length && timingSafeEqual(given, due)) return
  throw new Unproven(
    'service-unreachable',
    `Another program answers at http://${host}. Stop it, then start Earmark again.`
  )
}

/** The proof in the answer to come, which leaves nothing behind it on the connection; `undefined` where it is none. */
async function readAnswer(socket: Socket, signal: AbortSignal): Promise<string | undefined> {
  let text = ''
  const ended = once(socket, 'end', { signal }).then(() => undefined)
  ended.catch(() => {})
  for (;;) {
    const piece = await Promise.race([once(socket, 'data', { signal }), ended])
    if (piece === undefined) return undefined
    text += String(piece[0])
    const [head = '', body] = text.split('\r\n\r\n', 2)
    if (text.length > MOST_PROOF) return undefined
    if (body === undefined) continue
    const length = /^HTTP\/1\.1 200 .*^content-length: *(\d+)\r?$/ims.exec(head)?.[1]
    if (length === undefined || body.length > Number(length)) return undefined
    if (body.length === Number(length)) return /^\{"proof":"([\w-]+)"\}$/.exec(body)?.[1]
  }
}

async function ask(agent: Agent, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const sent = send(url, { agent, method, headers: Object.fromEntries(headers), signal })
  void sendBody(request, sent)
  const [answer] = (await once(sent, 'response').catch((error) => {
    throw signal.aborted ? signal.reason : error
  })) as [IncomingMessage]
  sent.on('error', () => {}) // what breaks from here on is told to who reads the body
  const { statusCode = 0, headersDistinct } = answer
  const all = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value]))
  const empty = [204, 304].includes(statusCode)
  if (empty) answer.resume()
  const stream = empty ? null : (Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0])
  return new Response(stream, { status: statusCode, headers: all as [string, string][] })
}

/** A stream, which has no content type, goes out piece by piece; any other body at once, with its length. */
async function sendBody(request: Request, sent: ClientRequest): Promise<void> {
  const { body, headers } = request
  if (body === null || headers.has('content-type')) sent.end(Buffer.from(await request.arrayBuffer()))
  else await pipeline(Readable.fromWeb(body as ReadableStream), sent).catch((error) => sent.destroy(error))
}
