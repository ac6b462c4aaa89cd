/** The official MCP clients of every generation, each with the same few methods. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runs } from './runs.ts'

/** A connected client. */
export interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

type Negotiation = 'legacy' | 'auto' | { pin: string }

const INFO = { name: 'earmark-tests', version: '1.0.0' }

/** The ways in which SDK v2 negotiates a revision, by name. */
const NEGOTIATIONS: [name: string, mode: Negotiation | undefined][] = [
  ['as it comes', undefined],
  ['auto', 'auto'],
  ['pinned to 2026-07-28', { pin: '2026-07-28' }]
]

/** Installed packages of SDK v1, by name. */
const V1_PACKAGES: [name: string, installed: string][] = [
  ['1.32', '@modelcontextprotocol/sdk'],
  ...runs([], ['1.25', '1.20', '1.13', '1.12']).map((name): [string, string] => [
    name,
    `sdk-${name.replace('.', '-')}`
  ]),
  ['1.10', 'sdk-1-10']
]

export const httpClients = [
  ...NEGOTIATIONS.map(([name, mode]) => ({
    name: `SDK v2, ${name}`,
    connect: (address: string, key: string) =>
      connectV2(new StreamableHTTPClientTransport(new URL(address), withKey(key)), mode)
  })),
  ...V1_PACKAGES.map(([name, installed]) => ({
    name: `SDK v1, ${name}`,
    async connect(address: string, key: string): Promise<Connected> {
      const { StreamableHTTPClientTransport } = await import(`${installed}/client/streamableHttp.js`)
      return connectV1(installed, new StreamableHTTPClientTransport(new URL(address), withKey(key)))
    }
  }))
]

type Environment = Record<string, string>

/** Clients that start a program and use its standard streams. */
export const stdioClients = [
  ...NEGOTIATIONS.map(([name, mode]) => ({
    name: `SDK v2, ${name}`,
    connect: (command: string, args: string[], env: Environment) => connectStdio(command, args, env, mode)
  })),
  ...V1_PACKAGES.map(([name, installed]) => ({
    name: `SDK v1, ${name}`,
    async connect(command: string, args: string[], env: Environment): Promise<Connected> {
      const { StdioClientTransport } = await import(`${installed}/client/stdio.js`)
      return connectV1(installed, new StdioClientTransport({ command, args, env, stderr: 'pipe' }))
    }
  }))
]

export function connectStdio(
  command: string,
  args: string[],
  env: Environment,
  mode?: Negotiation
): Promise<Connected> {
  return connectV2(new StdioClientTransport({ command, args, env, stderr: 'pipe' }), mode)
}

async function connectV2(transport: Parameters<Client['connect']>[0], mode?: Negotiation): Promise<Connected> {
  const client = new Client(INFO, mode === undefined ? {} : { versionNegotiation: { mode } })
  await client.connect(transport)
  return client as unknown as Connected
}

async function connectV1(installed: string, transport: unknown): Promise<Connected> {
  const { Client } = await import(`${installed}/client/index.js`)
  const client = new Client(INFO, { capabilities: {} })
  await client.connect(transport)
  return client
}

function withKey(key: string) {
  return { requestInit: { headers: { 'x-api-key': key } } }
}
