/** The official clients of every generation, each behind the same few calls. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runs } from './runs.ts'

/** A connected client. */
export interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

export interface ClientKind {
  name: string
  connect(address: string, key: string): Promise<Connected>
}

type Negotiation = 'legacy' | 'auto' | { pin: string }

const INFO = { name: 'earmark-tests', version: '1.0.0' }

/** SDK v2 with each of its ways to agree on a revision. */
function version2(name: string, mode: Negotiation | undefined): ClientKind {
  return {
    name: `SDK v2, ${name}`,
    async connect(address, key) {
      const client = new Client(INFO, mode === undefined ? {} : { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: headers(key) }))
      return client as unknown as Connected
    }
  }
}

/** The package of SDK v1 installed under this name. */
function version1(installed: string): ClientKind {
  return {
    name:
      installed === '@modelcontextprotocol/sdk' ? 'SDK v1, 1.32' : `SDK v1, ${installed.slice(4).replace('-', '.')}`,
    async connect(address, key) {
      const { Client: Client1 } = await import(`${installed}/client/index.js`)
      const { StreamableHTTPClientTransport: Transport1 } = await import(`${installed}/client/streamableHttp.js`)
      const client = new Client1(INFO, { capabilities: {} })
      await client.connect(new Transport1(new URL(address), { requestInit: headers(key) }))
      return client
    }
  }
}

export const httpClients: ClientKind[] = [
  version2('as it comes', undefined),
  version2('auto', 'auto'),
  version2('pinned to 2026-07-28', { pin: '2026-07-28' }),
  ...['@modelcontextprotocol/sdk', ...runs([], ['sdk-1-25', 'sdk-1-20', 'sdk-1-13', 'sdk-1-12']), 'sdk-1-10'].map(
    version1
  )
]

/** SDK v2 over the standard streams of a program. */
export async function connectStdio(
  command: string,
  args: string[],
  env: Record<string, string>,
  mode?: Negotiation
): Promise<Connected> {
  const client = new Client(INFO, mode === undefined ? {} : { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'pipe' }))
  return client as unknown as Connected
}

/** A client that starts a program. */
export interface StdioClientKind {
  name: string
  connect(command: string, args: string[], env: Record<string, string>): Promise<Connected>
}

export const stdioClients: StdioClientKind[] = [
  ...([undefined, 'auto', { pin: '2026-07-28' }] as const).map((mode) => ({
    name: `SDK v2, mode ${JSON.stringify(mode) ?? 'as it comes'}`,
    connect: (command: string, args: string[], env: Record<string, string>) => connectStdio(command, args, env, mode)
  })),
  ...['@modelcontextprotocol/sdk', 'sdk-1-10', ...runs([], ['sdk-1-25', 'sdk-1-20', 'sdk-1-13', 'sdk-1-12'])].map(
    (installed) => ({
      name: `SDK v1, ${installed}`,
      async connect(command: string, args: string[], env: Record<string, string>): Promise<Connected> {
        const { Client: Client1 } = await import(`${installed}/client/index.js`)
        const { StdioClientTransport: Transport1 } = await import(`${installed}/client/stdio.js`)
        const client = new Client1(INFO, { capabilities: {} })
        await client.connect(new Transport1({ command, args, env, stderr: 'pipe' }))
        return client
      }
    })
  )
]

function headers(key: string) {
  return { headers: { 'x-api-key': key } }
}
