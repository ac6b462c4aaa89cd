import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorBody, Problem, type ProblemCode } from '../contract/problem.ts'

/** The HTTP status each problem has. */
const STATUS = {
  'data-folder-unusable': 500,
  'disk-full': 507,
  expired: 401,
  forbidden: 403,
  invalid: 400,
  'library-damaged': 500,
  'library-in-use': 409,
  'library-missing': 500,
  'login-used': 401,
  'not-a-library': 500,
  'not-found': 404,
  'port-taken': 409,
  'service-unreachable': 502,
  'store-too-new': 409,
  taken: 409,
  'too-large': 413,
  'too-many': 429,
  unauthorized: 401
} as const satisfies Record<ProblemCode, ContentfulStatusCode>

/** Answers an error under `/api`: a Problem in its own words, anything else as a failure of ours. */
export function answerError(onBug: (error: unknown) => void) {
  return (error: unknown, c: Context): Response => {
    if (error instanceof Problem) {
      return c.json(errorBody(error.code, error.message), STATUS[error.code])
    }
    // Hono's own refusals, such as of JSON that is none.
    if (error instanceof HTTPException && error.status < 500) {
      return c.json(errorBody('invalid', error.message), error.status)
    }
    if ((error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET') return c.body(null, 400) // the client went away
    onBug(error)
    return c.json(errorBody('internal', 'Earmark failed unexpectedly. See earmark.log in the data folder.'), 500)
  }
}
