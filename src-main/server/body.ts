import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { Problem } from '../contract/problem.ts'

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

function invalid({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): Problem {
  return new Problem('invalid', issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}
