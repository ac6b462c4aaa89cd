import { randomBytes } from 'node:crypto'
import type { HeaderReader } from '../../contract/caller.ts'

/** Says of a request to the endpoint that it belongs to a test of ours. */
export const TEST_HEADER = 'x-earmark-test'

/** Our own tests of connections that are under way: what they send is no use of a key. */
export interface OwnTests {
  /** Gives the header's value for one test. Nobody else can know it, and it says nothing once the test is over. */
  begin(): string
  end(token: string): void
  /** Whether a request belongs to one. */
  isOne(header: HeaderReader): boolean
}

export function createOwnTests(): OwnTests {
  const running = new Set<string>()
  return {
    begin() {
      const token = randomBytes(16).toString('base64url')
      running.add(token)
      return token
    },
    end: (token) => void running.delete(token),
    isOne: (header) => running.size > 0 && running.has(header(TEST_HEADER) ?? '')
  }
}
