import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { invalid } from './invalid.ts'

/** Checks a JSON body; what is wrong with it is answered as one Problem. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return zValidator('json', schema, (result) => {
    if (!result.success) throw invalid(result.error)
  })
}

/** Checks a form, which is how files are sent, as `jsonBody` does JSON. */
export function form<Schema extends z.ZodType>(schema: Schema) {
  return zValidator('form', schema, (result) => {
    if (!result.success) throw invalid(result.error)
  })
}

/** Checks an address's query as `jsonBody` does JSON. */
export function query<Schema extends z.ZodType>(schema: Schema) {
  return zValidator('query', schema, (result) => {
    if (!result.success) throw invalid(result.error)
  })
}
