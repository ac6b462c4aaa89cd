import type { ConnectionCheck, ConnectionReport } from '../../contract/editor.ts'
import type { KeyCredential } from '../../contract/key.ts'
import type { LoopbackAnswer } from '../../contract/ports.ts'
import { isoDay } from '../../core/iso-time.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'
import { hashSecret } from './identify-key.ts'
import { type OwnTests, TEST_HEADER } from './own-tests.ts'

/**
 * Connects as editors do, through the socket, with the handshake of each generation, and says in words what is wrong.
 * The words on a refused key are for the owner; the endpoint itself never tells them.
 *
 * @param address the endpoint's address, as an editor would be given it
 */
export async function testConnection(
  ports: Ports,
  ownTests: OwnTests,
  address: string,
  key: string
): Promise<ConnectionReport> {
  const test = ownTests.begin()
  try {
    return await tryConnection(ports, test, address, key)
  } finally {
    ownTests.end(test)
  }
}

async function tryConnection(ports: Ports, test: string, address: string, key: string): Promise<ConnectionReport> {
  const checks: ConnectionCheck[] = []
  const report = (): ConnectionReport => ({ works: checks.every((check) => check.ok), checks })
  // What no header can hold is tried as what it is: no key.
  const sent = /^[\x21-\x7e]+$/.test(key.trim()) ? key.trim() : 'not-a-key'
  const client = { ports, test, address, key: sent }

  const first = await send(client, legacyInitialize).catch(() => undefined)
  checks.push(reachCheck(address, first))
  if (!first || !checks.at(-1)?.ok) return report()

  const known = isWellFormedKey(client.key) ? await ports.library.findKey(hashSecret(client.key)) : undefined
  checks.push(keyCheck(first, client.key, known, ports.now()))
  if (!checks.at(-1)?.ok) return report()

  const discovered = await send(client, discover).catch(() => undefined)
  checks.push(handshakeCheck(first, discovered))
  const lists = await Promise.all(
    [send(client, legacyList), send(client, modernList)].map((one) => one.catch(() => undefined))
  )
  checks.push(toolsCheck(lists))
  checks.push({
    name: 'save',
    ok: true,
    message: known?.readOnly
      ? 'This key is read-only: it can search, and saving will be refused.'
      : 'It can search and save.'
  })
  return report()
}

interface Client {
  ports: Ports
  /** The value that proves the answer is ours. */
  test: string
  address: string
  key: string
}

interface Exchange {
  headers: Record<string, string>
  body: object
}

function send({ ports, test, address, key }: Client, { headers, body }: Exchange): Promise<LoopbackAnswer> {
  return ports.loopback.post(address, { 'x-api-key': key, [TEST_HEADER]: test, ...headers }, JSON.stringify(body))
}

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'
const CLIENT = { name: 'earmark-connection-test', version: '1' }

const legacyInitialize: Exchange = {
  headers: {},
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT }
  }
}

const legacyList: Exchange = {
  headers: { 'mcp-protocol-version': LEGACY },
  body: { jsonrpc: '2.0', id: 2, method: 'tools/list' }
}

const discover = modern('server/discover')
const modernList = modern('tools/list')

function modern(method: string): Exchange {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  return {
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method },
    body: { jsonrpc: '2.0', id: 3, method, params: { _meta } }
  }
}

function reachCheck(address: string, answer: LoopbackAnswer | undefined): ConnectionCheck {
  if (!answer) {
    return {
      name: 'reach',
      ok: false,
      message: `Nothing answers at ${address}: Earmark is not running there. Start it.`
    }
  }
  const ours = answer.status === 401 ? isOurRefusal(answer) : resultOf(answer)?.serverInfo?.name === 'earmark'
  return ours || answer.status === 429
    ? { name: 'reach', ok: true, message: `Earmark answers at ${address}.` }
    : {
        name: 'reach',
        ok: false,
        message:
          `Another program answers at ${address}. Stop it or give Earmark another port, and revoke keys it may have ` +
          'seen.'
      }
}

function keyCheck(answer: LoopbackAnswer, key: string, known: KeyCredential | undefined, now: number): ConnectionCheck {
  if (answer.status === 200) return { name: 'key', ok: true, message: 'The key is valid.' }
  return { name: 'key', ok: false, message: `${refusalOf(answer, key, known, now)} Create a new key and use that one.` }
}

function refusalOf(answer: LoopbackAnswer, key: string, known: KeyCredential | undefined, now: number): string {
  if (known?.revokedAt) return `This key was revoked on ${day(known.revokedAt)}.`
  if (known?.expiresAt && known.expiresAt <= now) return `This key expired on ${day(known.expiresAt)}.`
  if (answer.status === 429) return 'Too many wrong keys were sent within a few seconds.'
  if (!isWellFormedKey(key)) return 'This key is incomplete: a key is emk_ followed by 49 letters and digits.'
  return 'This library does not know this key.'
}

function day(time: number): string {
  return isoDay(time)
}

function handshakeCheck(legacy: LoopbackAnswer, discovered: LoopbackAnswer | undefined): ConnectionCheck {
  const old = resultOf(legacy)?.protocolVersion === LEGACY
  const modernVersions = discovered && resultOf(discovered)?.supportedVersions
  const recent = Array.isArray(modernVersions) && modernVersions.includes(MODERN)
  if (old && recent)
    return { name: 'handshake', ok: true, message: `Clients of ${LEGACY} and of ${MODERN} can connect.` }
  const failed = [!old && LEGACY, !recent && MODERN].filter(Boolean).join(' and ')
  return { name: 'handshake', ok: false, message: `Clients of MCP ${failed} cannot connect. Restart Earmark.` }
}

function toolsCheck(lists: (LoopbackAnswer | undefined)[]): ConnectionCheck {
  const names = lists.map(
    (list) =>
      list &&
      resultOf(list)
        ?.tools?.map((tool) => tool.name)
        .join(', ')
  )
  return names.every((one) => one === TOOLS)
    ? { name: 'tools', ok: true, message: `It offers ${TOOLS}.` }
    : { name: 'tools', ok: false, message: 'The tools are not listed as they should be. Restart Earmark.' }
}

const TOOLS = 'bookmarks.search, bookmarks.insert'

interface Result {
  serverInfo?: { name?: unknown }
  protocolVersion?: unknown
  supportedVersions?: unknown
  tools?: { name: string }[]
}

function resultOf({ body }: LoopbackAnswer): Result | undefined {
  return (readJson(body) as { result?: Result } | undefined)?.result
}

function isOurRefusal({ body }: LoopbackAnswer): boolean {
  const { error } = (readJson(body) ?? {}) as { error?: { code?: unknown; message?: unknown } }
  return error?.code === 'unauthorized' && String(error.message).includes('Earmark')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
