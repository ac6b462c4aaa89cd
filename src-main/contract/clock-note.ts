import { z } from 'zod'

/** What the library remembers of the machine's clock. Times are milliseconds since 1970. */
export const ClockNote = z.object({
  /** The newest time that is believed. */
  known: z.number(),
  /** When the clock was first seen far ahead of that. */
  leapt: z.number().nullable()
})
export type ClockNote = z.infer<typeof ClockNote>
