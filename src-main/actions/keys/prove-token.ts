import { createHmac } from 'node:crypto'

/** What a service that has this token answers to a nonce: how the command line knows it from a stranger on its port. */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}
