import { randomBytes } from 'node:crypto'
import type { ConnectionCheck, ConnectionReport } from '../../contract/editor.ts'
import { PROOF_PATH } from '../../contract/endpoint.ts'
import { isoDay } from '../../core/iso-time.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'
import { hashSecret } from './credentials.ts'

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
