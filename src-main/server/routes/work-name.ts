import { randomUUID } from 'node:crypto'
import { z } from 'zod'

/** The client's name for work of many steps, to follow and stop it. */
export const WorkName = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .default(() => randomUUID())
})
