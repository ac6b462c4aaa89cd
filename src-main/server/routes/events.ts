import { Hono } from 'hono'
import { hashSecret } from '../../actions/keys/identify-key.ts'
import { identifySession } from '../../actions/keys/session.ts'
import type { Change } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'
import { createEventStream, type EventStream } from '../event-stream.ts'
import type { OwnerProof } from '../identify.ts'
import type { OwnerEnv } from '../owner-only.ts'

/** Most streams that are open at the same time. */
const MOST_STREAMS = 32

/** Most of those for one session. A browser needs one, which its tabs share. */
const MOST_OF_SESSION = 8

/** Sends the library's changes as server-sent events, for as long as the session lasts. */
export function eventRoutes({ ports, changes, onClose }: ServerContext) {
  const open = new Map<EventStream, Uint8Array | undefined>()
  changes.onChange((change: Change) => {
    for (const stream of open.keys()) stream.tell(change)
  })
  changes.onSessionEnd((hash) => {
    for (const [stream, session] of open) if (session && Buffer.compare(session, hash) === 0) stream.end()
  })
  onClose(() => {
    for (const stream of open.keys()) stream.end()
  })

  async function isAlive(proof: OwnerProof): Promise<boolean> {
    return proof.kind !== 'session' || (await identifySession(ports, proof.secret)) !== undefined
  }

  return new Hono<OwnerEnv>().get('/', (c) => {
    // Hono answers HEAD from here too, and would never read the stream.
    if (c.req.raw.method !== 'GET') return c.body(null, 200, EVENT_HEADERS)
    const proof = c.get('proof')
    const session = proof.kind === 'session' ? hashSecret(proof.secret) : undefined
    const ofSession = [...open.values()].filter((hash) => hash && session && Buffer.compare(hash, session) === 0).length
    if (open.size >= MOST_STREAMS || ofSession >= MOST_OF_SESSION) {
      throw new Problem('too-many', 'Earmark is open in too many tabs. Close some of them.')
    }
    const stream = createEventStream(
      () => isAlive(proof),
      () => open.delete(stream)
    )
    open.set(stream, session)
    return c.body(stream.body, 200, EVENT_HEADERS)
  })
}

const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' }
