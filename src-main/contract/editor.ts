import { z } from 'zod'

/** A program that speaks MCP over standard streams, as a host starts it. */
export interface StdioServer {
  command: string
  args: string[]
  env?: Record<string, string> | undefined
}

/** A host whose own file can be changed. */
export interface EditorFacts {
  id: string
  name: string
  /** Where it keeps its servers; the file need not be there yet. */
  file: string
  /** There are signs of the host on this machine. */
  found: boolean
  /** Its file names Earmark. */
  connected: boolean
}

/** A change of a host's file that was made, or would be. */
export interface EditorChange {
  file: string
  /** The lines that go, after `- `, and those that come, after `+ `, without the secrets of Earmark's keys. */
  change: string[]
  /** The file holds the key itself, because no keychain keeps it. */
  holdsKey?: boolean | undefined
  /** Other users of the computer could read the file that holds the key; now they cannot. */
  madePrivate?: boolean | undefined
}

/** The choices of `connect`: the key that is named, or else a new one. */
export const ConnectRequest = z.strictObject({
  keyId: z.string().min(1).max(64).optional(),
  /** A new one even where a kept one carries the host's name. */
  newKey: z.boolean().default(false),
  /** A new key's secret is also kept in a file. */
  keyFile: z.boolean().default(false),
  dryRun: z.boolean().default(false)
})
export type ConnectRequest = z.infer<typeof ConnectRequest>

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

/** A key to try, as a client would present it. */
export const ConnectionTestRequest = z.strictObject({ key: z.string().min(1).max(200) })

/** One thing that a client needs, tried for real. */
export interface ConnectionCheck {
  name: 'reach' | 'key' | 'handshake' | 'tools' | 'save'
  ok: boolean
  /** The result in words for the owner; after a failure, with what to do. */
  message: string
}

/** Whether clients can connect with a key. Checks after a failed one are not made. */
export interface ConnectionReport {
  works: boolean
  checks: ConnectionCheck[]
}
