import type { IncomingMessage } from 'node:http'
import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { errorBody, Problem } from '../contract/problem.ts'

/** Checks a JSON body; what is wrong with it is answered as one Problem. */
export const body = checkerOf('json')

/** Checks a form, which is how files are sent, as `body` does JSON. */
export const form = checkerOf('form')

/** Checks an address's query as `body` does JSON. */
export const query = checkerOf('query')

function checkerOf<Target extends 'json' | 'form' | 'query'>(target: Target) {
  return <Schema extends z.ZodType>(schema: Schema) =>
    zValidator(target, schema, (result) => {
      if (!result.success) throw invalid(result.error)
    })
}

/** Largest body taken, in bytes, where a route does not say otherwise. */
export const MOST_BYTES = 1024 * 1024

const TOO_LARGE = errorBody('invalid', `A request has at most ${MOST_BYTES} bytes.`)

/** Browsers and the command line always say it; and a body without is one whose end nobody knows. */
const NO_LENGTH = errorBody('invalid', 'Send the body’s length in Content-Length.')

/** Refuses bodies of more bytes, and those that do not say how many they have. */
export function limitBody(maxSize = MOST_BYTES, tooLarge = TOO_LARGE): MiddlewareHandler {
  const limit = bodyLimit({ maxSize, onError: (c) => c.json(tooLarge, 413) })
  return async (c, next) => {
    if (!['POST', 'PATCH'].includes(c.req.method)) return next()
    if (c.req.header('transfer-encoding') !== undefined) return c.json(NO_LENGTH, 411)
    // What comes from a socket without either has no body (RFC 9112, 6.3).
    if (c.req.header('content-length') === undefined && c.env?.incoming !== undefined) return next()
    return limit(c, next)
  }
}

/** A body that takes longer, or is silent for longer where it may be of any size, is somebody's way to hold a connection. */
const BODY_MS = 30_000

const limits = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** A request without a body has arrived whole, and its answer may be a stream that goes on for hours. */
export function limitBodyTime(request: IncomingMessage): void {
  const limit = setTimeout(() => request.complete || request.destroy(), BODY_MS).unref()
  limits.set(request, limit)
  request.once('end', () => clearTimeout(limit)).once('close', () => clearTimeout(limit))
}

/** Lets a body be of any size, as long as something of it comes. */
export const anySize: MiddlewareHandler = async (c, next) => {
  const incoming = c.env?.incoming as IncomingMessage | undefined
  if (incoming) limitSilence(incoming)
  return next()
}

/**
 * Ends a request of which nothing comes for twice `BODY_MS` at most. Its sender is not silent while it waits for us: when
 * all has come, or when what came has not been read yet.
 */
function limitSilence(request: IncomingMessage): void {
  clearTimeout(limits.get(request))
  let before = request.socket.bytesRead
  const look = setInterval(() => {
    const { bytesRead } = request.socket
    const isOurTurn = request.complete || request.isPaused() || request.readableLength > 0
    if (bytesRead === before && !isOurTurn) request.destroy()
    before = bytesRead
  }, BODY_MS).unref()
  request.once('end', () => clearInterval(look)).once('close', () => clearInterval(look))
}

/** All that a schema found wrong, as one Problem. */
function invalid({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): Problem {
  return new Problem('invalid', issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}
