import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { errorBody, type FieldFault, invalidFields } from '../contract/problem.ts'

/** Validates a JSON body; all its errors are answered as one Problem. */
export const body = validatorFor('json')

/** Validates a form, which can contain files. */
export const form = validatorFor('form')

export const query = validatorFor('query')

function validatorFor<Target extends 'json' | 'form' | 'query'>(target: Target) {
  return <Schema extends z.ZodType>(schema: Schema) =>
    zValidator(target, schema, (result) => {
      if (!result.success) throw invalidFields(result.error.issues.map(fieldFault))
    })
}

/** Returns an error of a schema without the value that was sent. */
function fieldFault({ path, message }: { path: PropertyKey[]; message: string }): FieldFault {
  return { path: path.map((part) => (typeof part === 'number' ? part : String(part))), message }
}

/** Reads a row id from a path, such as `12` or `-12`; `undefined` for any other text. */
export function readRowId(text: string): number | undefined {
  const id = Number(text)
  return Number.isSafeInteger(id) && String(id) === text ? id : undefined
}

/** Maximum size of a body, in bytes, for routes without another limit. */
export const MAX_BYTES = 1024 * 1024

const TOO_LARGE = errorBody('invalid', `A request has at most ${MAX_BYTES} bytes.`)

/** Browsers and the command line always send the length. */
const NO_LENGTH = errorBody('invalid', 'Send the body’s length in Content-Length.')

/** Refuses bodies that are larger than the maximum, or are sent without Content-Length. */
export function limitBody(maxBytes = MAX_BYTES, tooLarge = TOO_LARGE): MiddlewareHandler {
  return async (c, next) => {
    if (!['POST', 'PATCH', 'PUT'].includes(c.req.method)) return next()
    if (c.req.header('transfer-encoding') !== undefined) return c.json(NO_LENGTH, 411)
    return Number(c.req.header('content-length') ?? 0) > maxBytes ? c.json(tooLarge, 413) : next()
  }
}
