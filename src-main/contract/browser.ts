import { z } from 'zod'

/** A browser the extension can be used in, as far as this machine has it. */
export interface BrowserFacts {
  id: string
  name: string
  kind: 'chromium' | 'firefox'
  /** There are signs of it on this machine, outside of a sandbox. */
  found: boolean
  /** It is here in a sandbox, from which no program is started. */
  sandbox: 'Snap' | 'Flatpak' | null
  /** It is told of our program. */
  connected: boolean
}

/**
 * A change that was made, or would be: the file that tells the browser of our program, with its content now or before.
 */
export interface BrowserChange {
  name: string
  file: string
  content: string
}

export const BrowserRequest = z.strictObject({ dryRun: z.boolean().default(false) })
