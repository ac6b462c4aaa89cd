import { Hono } from 'hono'
import { hashSecret } from '../../actions/keys/identify-key.ts'
import { identifySession } from '../../actions/keys/session.ts'
import type { Change } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'
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

/** Changes are told at once, but no closer together than this: during an import there are many. */
const APART_MS = 250

/** Kinds of news that wait for a reader at most; beyond that it is no longer told who made them. */
const MOST_WAITING = 50

/** How often a reader is shown that the stream is alive, and the stream sees whether its session is. */
const PING_MS = 20_000

/** A reader that takes nothing for so many pings is gone. */
const MOST_MISSED = 3

/** A stream of server-sent events (html.spec.whatwg.org, section 9.2) that is told what to send. */
export interface EventStream {
  body: ReadableStream<Uint8Array>
  tell(change: Change): void
  end(): void
}

/**
 * Creates a stream of events. Events that wait for a slow reader are kept as sums, never as a queue, so a reader that
 * stalls holds no memory.
 *
 * @param isAlive asked with every ping; the stream ends when it says no
 * @param onEnd called once, however the stream ends
 */
export function createEventStream(isAlive: () => Promise<boolean>, onEnd: () => void): EventStream {
  const waiting = new Map<string, Change>()
  let controller: Controller
  let ended = false
  let paused = false
  let missed = 0

  function tell(change: Change): void {
    addTo(waiting, change)
    flush()
  }

  function flush(): void {
    if (ended || paused || waiting.size === 0 || !hasRoom(controller)) return
    const lines = [...waiting.values()].map((change) => `data: ${JSON.stringify(change)}\n\n`)
    waiting.clear()
    send(controller, lines.join(''))
    paused = true
    setTimeout(() => {
      paused = false
      flush()
    }, APART_MS).unref()
  }

  async function ping(): Promise<void> {
    if (!(await isAlive())) return end()
    if (ended) return
    if (hasRoom(controller)) {
      missed = 0
      send(controller, ': ping\n\n')
    } else if (++missed >= MOST_MISSED) end()
  }

  function end(): void {
    if (stop()) controller.close()
  }

  function stop(): boolean {
    if (ended) return false
    ended = true
    clearInterval(pings)
    waiting.clear()
    onEnd()
    return true
  }

  const pings = setInterval(() => void ping().catch(end), PING_MS).unref()
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      // The first bytes tell the browser that the stream is open; `retry` is how soon it tries again when it breaks.
      send(given, 'retry: 1000\n: open\n\n')
    },
    pull: flush,
    cancel: () => void stop()
  })
  return { body, tell, end }
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Adds to the sum of its kind and of who made it. */
function addTo(waiting: Map<string, Change>, { kind, by: maker, saved = 0 }: Change): void {
  const by = waiting.size < MOST_WAITING ? maker : undefined
  const name = JSON.stringify([kind, by])
  const sum = (waiting.get(name)?.saved ?? 0) + saved
  waiting.set(name, { kind, saved: sum || undefined, by })
}

function hasRoom(controller: Controller): boolean {
  return (controller.desiredSize ?? 0) > 0
}

function send(controller: Controller, text: string): void {
  controller.enqueue(new TextEncoder().encode(text))
}
