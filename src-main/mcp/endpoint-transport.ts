/**
 * Two ways to the endpoint: straight from Node's socket, which every agent's call takes, and as a fetch handler for
 * calls within the process. docs/develop/decisions/001 has the figures.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderReader } from '../contract/caller.ts'
import { errorBody } from '../contract/problem.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'

/** Answers requests as `node:http` gives them; `common` are header names and values for every answer, in turn. */
export function nodeHandler(endpoint: Endpoint, common: string[], onBug: (error: unknown) => void) {
  return (incoming: IncomingMessage, outgoing: ServerResponse, { get }: { get: HeaderReader }): void => {
    endpoint(new NodeRequest(incoming, outgoing, get)).then(
      ({ status, headers, body }) => {
        const bytes = body === null ? 0 : Buffer.byteLength(body)
        const list = [...common, 'content-length', String(bytes)]
        for (const name in headers) list.push(name, headers[name] ?? '')
        // Where every character is a byte, Node need not look at each of them again.
        outgoing.writeHead(status, list).end(body ?? '', bytes === body?.length ? 'latin1' : 'utf8')
      },
      (error: unknown) => {
        if (!incoming.complete) return incoming.destroy() // the client went away
        onBug(error)
        const body = JSON.stringify(errorBody('internal', 'Earmark failed unexpectedly.'))
        outgoing.writeHead(500, [...common, 'content-type', 'application/json']).end(body)
      }
    )
  }
}

/** Answers a request made within the process. */
export async function fetchEndpoint(endpoint: Endpoint, request: Request): Promise<Response> {
  const { host, search } = new URL(request.url)
  const { status, headers, body } = await endpoint({
    method: request.method,
    host,
    query: search,
    header: (name) => request.headers.get(name) ?? undefined,
    readBody: (most) => readStream(request.body, most),
    signal: request.signal
  })
  return new Response(body, { status, headers })
}

/** A request as Node has it. A class: an object that is written down with a getter has a shape of its own, which only a full collection frees. */
class NodeRequest implements EndpointRequest {
  readonly method: string
  readonly host: string
  readonly query: string
  readonly header: HeaderReader
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, header: HeaderReader) {
    const { method = '', url = '' } = incoming
    const mark = url.indexOf('?')
    this.method = method
    this.host = header('host') ?? ''
    this.query = mark < 0 ? '' : url.slice(mark)
    this.header = header
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  readBody(most: number): Promise<Uint8Array | undefined> {
    return readBody(this.#incoming, most)
  }

  /** Made only for a call that has to wait. */
  get signal(): AbortSignal {
    const gone = new AbortController()
    this.#outgoing.once('close', () => gone.abort())
    if (this.#outgoing.closed) gone.abort()
    return gone.signal
  }
}

/** A body that takes longer is somebody's way to hold a connection. */
const BODY_MS = 30_000

function readBody(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const limit = setTimeout(() => incoming.destroy(), BODY_MS).unref()
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= most) chunks.push(chunk)
      else {
        clearTimeout(limit)
        incoming.pause()
        resolve(undefined)
      }
    })
    incoming.on('end', () => {
      clearTimeout(limit)
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
    incoming.on('error', (error) => {
      clearTimeout(limit)
      reject(error) // the client went away
    })
  })
}

async function readStream(body: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
