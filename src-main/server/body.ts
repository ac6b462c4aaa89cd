import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { invalid } from './invalid.ts'

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
