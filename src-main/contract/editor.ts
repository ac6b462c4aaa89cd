import { z } from 'zod'

/** How an MCP host starts a program that speaks MCP over standard streams. */
export interface StdioServer {
  command: string
  args: string[]
  env?: Record<string, string> | undefined
}

/** An MCP host whose file Earmark can change. */
export interface EditorFacts {
  id: string
  name: string
  /** The file in which the host lists its MCP servers. It may not exist yet. */
  file: string
  /** Whether the host is installed: its own files, its command or its application exist. */
  found: boolean
  /** Whether the file lists Earmark. */
  connected: boolean
}

/** A change of a host's file, made or only planned. */
export interface EditorChange {
  file: string
  /** Removed lines after `- `, added lines after `+ `, without the secrets of Earmark's keys. */
  change: string[]
  /** The host is not installed. */
  missing?: boolean | undefined
  /** The file contains the key itself, because there is no keychain. */
  holdsKey?: boolean | undefined
  /** The file contains the key, and other users could read the file before the change. */
  madePrivate?: boolean | undefined
}

export const ConnectRequest = z.strictObject({
  keyId: z.string().min(1).max(64).optional(),
  /** Create a key even if a stored key has the host's name. */
  newKey: z.boolean().default(false),
  /** Also store a new key's secret in a file. */
  keyFile: z.boolean().default(false),
  dryRun: z.boolean().default(false)
})
export type ConnectRequest = z.infer<typeof ConnectRequest>

/** A browser that the extension supports. */
export interface BrowserFacts {
  id: string
  name: string
  kind: 'chromium' | 'firefox'
  /** Whether it seems to be installed outside of a sandbox. */
  found: boolean
  /** The sandbox that the browser is installed in. From a sandbox it cannot start a native host. */
  sandbox: 'Snap' | 'Flatpak' | null
  /** Whether Earmark is registered in it. */
  connected: boolean
}

/** A change, made or only planned: the file that registers Earmark, with its new or its removed content. */
export interface BrowserChange {
  name: string
  file: string
  content: string
  /** The browser is not installed. */
  missing?: boolean | undefined
}

export const BrowserRequest = z.strictObject({ dryRun: z.boolean().default(false) })

export const ConnectionTestRequest = z.strictObject({ key: z.string().min(1).max(200) })

/** One check of a connection test. */
export interface ConnectionCheck {
  name: 'reach' | 'key' | 'save'
  ok: boolean
  /** The result for the owner; after a failure, with advice. */
  message: string
}

/** Whether clients can connect with a key. The checks end with the first failure. */
export interface ConnectionReport {
  works: boolean
  checks: ConnectionCheck[]
}
