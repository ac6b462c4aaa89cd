/**
 * Two ways to the endpoint: straight from Node's socket, which every agent's call takes, and as a fetch handler for
 * calls within the process. docs/decisions/001 has the figures.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderReader } from '../contract/header-reader.ts'
import { errorBody } from '../contract/problem.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'

/** Answers requests as `node:http` gives them; `common` are header names and values for every answer, in turn. */
export function nodeHandler(endpoint: Endpoint, common: string[], onBug: (error: unknown) => void) {
  return (incoming: IncomingMessage, outgoing: ServerResponse, { get }: { get: HeaderReader }): void => {
    endpoint(fromNode(incoming, outgoing, get)).then(
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
    readText: (most) => readStream(request.body, most),
    signal: request.signal
  })
  return new Response(body, { status, headers })
}

function fromNode(incoming: IncomingMessage, outgoing: ServerResponse, header: HeaderReader): EndpointRequest {
  const { method = '', url = '' } = incoming
  const mark = url.indexOf('?')
  return {
    method,
    host: header('host') ?? '',
    query: mark < 0 ? '' : url.slice(mark),
    header,
    readText: (most) => readText(incoming, most),
    // Made only for a call that has to wait.
    get signal() {
      const gone = new AbortController()
      outgoing.once('close', () => gone.abort())
      if (outgoing.closed) gone.abort()
      return gone.signal
    }
  }
}

/** A body that takes longer is somebody's way to hold a connection. */
const BODY_MS = 30_000

function readText(incoming: IncomingMessage, most: number): Promise<string | undefined> {
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
      resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8'))
    })
    incoming.on('error', (error) => {
      clearTimeout(limit)
      reject(error) // the client went away
    })
  })
}

async function readStream(body: ReadableStream<Uint8Array> | null, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
