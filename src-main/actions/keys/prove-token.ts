import { createHmac, hash } from 'node:crypto'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'

/** What a service that has this token answers to a nonce: how the command line knows it from a stranger on its port. */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}

/**
 * What the program presents that speaks for the browser extension, from the command line's token. It opens what the
 * extension may do and nothing else, and the other token does not follow from it.
 */
export function extensionTokenOf(token: string): string {
  return hash('sha256', `${EXTENSION_TOKEN} ${token}`, 'base64url')
}
