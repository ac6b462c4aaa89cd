import { createHmac, hash } from 'node:crypto'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'

/**
 * Returns the answer to a nonce that only a service with this token can give: so the command line can tell it from a
 * stranger on its port.
 */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}

/**
 * Returns the token of the browser extension's program, made from the command line's token. It allows only the
 * extension's calls, and the command line's token cannot be computed from it.
 */
export function extensionTokenOf(token: string): string {
  return hash('sha256', `${EXTENSION_TOKEN} ${token}`, 'base64url')
}
