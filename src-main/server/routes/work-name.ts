import { randomUUID } from 'node:crypto'
import { z } from 'zod'

/** What whoever asks for work of many steps calls it, to watch it and to stop it. */
export const WorkName = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .default(() => randomUUID())
})
