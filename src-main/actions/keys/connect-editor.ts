import { randomBytes } from 'node:crypto'
import type {
  ConnectionCheck,
  ConnectionReport,
  ConnectRequest,
  EditorChange,
  StdioServer
} from '../../contract/editor.ts'
import { PROOF_PATH } from '../../contract/endpoint.ts'
import type { OwnProgram } from '../../contract/own-program.ts'
import { Problem } from '../../contract/problem.ts'
import { isoDay } from '../../core/iso-time.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'
import { hashSecret } from './credentials.ts'
import { createKey } from './keys.ts'

/** The change of the editor's file, and the key in it; `null` in a dry run, if the real run would create a key. */
export interface ConnectedEditor extends EditorChange {
  key: { id: string; name: string; made: boolean } | null
}

/** Placeholder for the key that a dry run does not create. */
const NEW_KEY = 'NEW-KEY'

/**
 * Adds Earmark to a host's file, as a program that the host starts. If no key is given, uses the active key with the
 * host's name whose secret is stored, or creates a key.
 *
 * @param data the data folder, if it is not the platform's default
 * @throws Problem `not-found` if there is no such host or key, `invalid` if the host's file is invalid
 */
export async function connectEditor(
  ports: Ports,
  id: string,
  { keyId, newKey, keyFile, dryRun }: ConnectRequest,
  { program, data }: { program: OwnProgram; data: string | undefined }
): Promise<ConnectedEditor> {
  const editors = await ports.editors()
  const editor = (await editors.list()).find((listed) => listed.id === id)
  const start = (key: string, secret?: string) => editors.connect(id, serverOf(program, { key, secret, data }), dryRun)
  const key = newKey ? undefined : await findKey(ports, keyId, editor?.name)
  if (key) return { ...(await start(key.id)), key: { id: key.id, name: key.name, made: false } }
  // Problems with the file are reported before a key is created.
  const inFile = dryRun && !keyFile && (await ports.keychain.fault()) !== undefined
  const server = serverOf(program, { key: NEW_KEY, secret: inFile ? NEW_KEY : undefined, data })
  const preview = await editors.connect(id, server, true)
  if (dryRun || !editor) return { ...preview, key: null }
  const created = await createKey(ports, { name: editor.name, readOnly: false, keyFile })
  // Without a keychain, the secret can only be stored in the host's file.
  const change = await start(created.id, created.keychain === 'shown-once' ? created.key : undefined)
  return { ...change, key: { id: created.id, name: editor.name, made: true } }
}

async function findKey({ library, now }: Ports, keyId: string | undefined, name: string | undefined) {
  const keys = await library.listKeys()
  const active = keys.filter(
    ({ revokedAt, expiresAt, keychain }) =>
      revokedAt === null && (expiresAt === null || expiresAt > now()) && keychain !== 'shown-once'
  )
  if (keyId === undefined) return active.findLast((key) => key.name === name)
  const key = active.find(({ id }) => id === keyId)
  if (key) return key
  throw new Problem(
    'not-found',
    `There is no active key with the id ${keyId} whose secret is stored. Create a new one.`
  )
}

function serverOf(
  { command, args }: OwnProgram,
  { key, secret, data }: { key: string; secret?: string | undefined; data: string | undefined }
): StdioServer {
  const folder = data === undefined ? [] : ['--data', data]
  const id = secret === undefined ? ['--key-id', key] : []
  return {
    command,
    args: [...args, 'mcp-stdio', ...id, '--names', 'underscore', ...folder],
    env: secret === undefined ? undefined : { EARMARK_KEY: secret }
  }
}

/** Timeout of the answer, in ms. Earmark answers in milliseconds. */
const TIMEOUT_MS = 5000

/**
 * Tests whether an editor can connect with this key. Another program may have the address, so the test connects to it,
 * and the other end must prove that it is this process. The key is not sent. The owner gets the reason why a key is
 * refused, which the endpoint never returns.
 *
 * @param address the endpoint's address, as editors use it
 * @param prove returns this process's answer to a nonce
 */
export async function testConnection(
  ports: Ports,
  address: string,
  prove: (nonce: string) => string,
  key: string
): Promise<ConnectionReport> {
  const checks = [await checkReach(address, prove)]
  if (checks[0]?.ok) checks.push(...(await checkKey(ports, key.trim())))
  return { works: checks.every((check) => check.ok), checks }
}

async function checkReach(address: string, prove: (nonce: string) => string): Promise<ConnectionCheck> {
  const nonce = randomBytes(16).toString('base64url')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const proofAddress = new URL(`${PROOF_PATH}?nonce=${nonce}`, address)
  const response = await fetch(proofAddress, { redirect: 'manual', signal }).catch(() => undefined)
  if (!response) return failed('reach', `Nothing answers at ${address}: Earmark is not running there. Start it.`)
  const answer = await response.json().catch(() => undefined)
  if ((answer as { proof?: unknown } | null | undefined)?.proof === prove(nonce)) {
    return { name: 'reach', ok: true, message: `Earmark answers at ${address}.` }
  }
  return failed(
    'reach',
    `Another program answers at ${address}. Stop it or give Earmark another port, and revoke keys it may have seen.`
  )
}

async function checkKey(ports: Ports, secret: string): Promise<ConnectionCheck[]> {
  const refused = (reason: string) => [failed('key', `${reason} Create a new key and use that one.`)]
  if (!isWellFormedKey(secret)) {
    return refused('This key is incomplete: a key is emk_ followed by 49 letters and digits.')
  }
  const key = await ports.library.findKey(hashSecret(secret))
  if (!key) return refused('This library does not know this key.')
  if (key.revokedAt !== null) return refused(`This key was revoked on ${isoDay(key.revokedAt)}.`)
  if (key.expiresAt !== null && key.expiresAt <= ports.now()) {
    return refused(`This key expired on ${isoDay(key.expiresAt)}.`)
  }
  const rights = key.readOnly
    ? 'This key is read-only: it can search, and saving will be refused.'
    : 'It can search and save.'
  return [
    { name: 'key', ok: true, message: 'The key is valid.' },
    { name: 'save', ok: true, message: rights }
  ]
}

function failed(name: ConnectionCheck['name'], message: string): ConnectionCheck {
  return { name, ok: false, message }
}
