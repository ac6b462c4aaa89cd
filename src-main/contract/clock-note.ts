import { z } from 'zod'

/** The machine's clock as the library last saw it. Times are milliseconds since 1970. */
export const ClockNote = z.object({
  /** The newest time that is believed. */
  known: z.number(),
  /** When the clock was first seen far ahead of that. */
  leapt: z.number().nullable()
})
export type ClockNote = z.infer<typeof ClockNote>
