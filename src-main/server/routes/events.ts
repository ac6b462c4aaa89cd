/** Sends the library's changes to the dashboard as server-sent events (html.spec.whatwg.org, section 9.2). */
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { hashSecret, identifySession } from '../../actions/keys/credentials.ts'
import type { Change } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv, OwnerProof } from '../identify.ts'

const MAX_STREAMS = 32

/** Maximum number of open streams of a session. The windows of a browser share a session and three streams. */
const MAX_STREAMS_OF_SESSION = 8

/** Streams the library's changes for as long as the session lasts. */
export function eventRoutes({ ports, changes, closing }: ServerContext) {
  const senders = new Map<EventSender, Uint8Array | undefined>()
  changes.onChange((change: Change) => {
    for (const sender of senders.keys()) sender.add(change)
  })
  changes.onSessionEnd((hash) => {
    for (const [sender, session] of senders) if (isSame(session, hash)) sender.end()
  })
  closing.addEventListener('abort', () => {
    for (const sender of senders.keys()) sender.end()
  })

  async function isAlive(proof: OwnerProof): Promise<boolean> {
    return proof.kind !== 'session' || (await identifySession(ports, proof.secret)) !== undefined
  }

  return new Hono<OwnerEnv>().get('/', (c) => {
    for (const [name, value] of Object.entries(EVENT_HEADERS)) c.header(name, value)
    // Hono also uses this route for HEAD, and would never read the stream.
    if (c.req.raw.method !== 'GET') return c.body(null)
    const proof = c.get('proof')
    const session = proof.kind === 'session' ? hashSecret(proof.secret) : undefined
    const ofSession = [...senders.values()].filter((other) => session && isSame(other, session))
    if (senders.size >= MAX_STREAMS || ofSession.length >= MAX_STREAMS_OF_SESSION) {
      throw new Problem('too-many', 'Earmark is open in too many tabs. Close some of them.')
    }
    return stream(c, async (opened) => {
      const sender = createEventSender()
      senders.set(sender, session)
      opened.onAbort(sender.end)
      await sender.send(
        (text) => opened.write(text),
        () => isAlive(proof)
      )
      senders.delete(sender)
    })
  })
}

const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' }

function isSame(session: Uint8Array | undefined, hash: Uint8Array): boolean {
  return session !== undefined && Buffer.compare(session, hash) === 0
}

/** The first text shows the browser that the stream is open. After `retry` ms, the browser reconnects. */
const OPENING = 'retry: 1000\n: open\n\n'
const PING = ': ping\n\n'

/** Minimum time between two messages, in ms, because an import makes many changes. */
const APART_MS = 250

/** Interval at which a stream without changes sends a ping, and every stream checks its session, in ms. */
const PING_MS = 20_000

/** Maximum time in which the reader must accept a message, in ms. A slower reader counts as disconnected. */
const STALLED_MS = 60_000

type EventSender = ReturnType<typeof createEventSender>

/** Creates a sender of events. Changes that wait for a slow reader are added up, so they need little memory. */
export function createEventSender() {
  const waiting = new Map<string, Change>()
  let isEnded = false
  let isIdle = false
  let wake = () => {}

  /** Waits until this time has passed or `wake` is called. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    add(change: Change): void {
      addToSums(waiting, change)
      if (isIdle) wake()
    },
    end(): void {
      isEnded = true
      wake()
    },
    /**
     * Sends changes until the stream or its session ends, or its reader stalls.
     *
     * @param write resolves when the reader has accepted the text
     */
    async send(write: (text: string) => Promise<unknown>, isAlive: () => Promise<boolean>): Promise<void> {
      let checkedAt = Date.now()
      let text = OPENING
      while (!isEnded && (await isAccepted(write(text)))) {
        if (text !== OPENING && text !== PING && !isEnded) await pause(APART_MS)
        isIdle = true
        if (waiting.size === 0 && !isEnded) await pause(PING_MS)
        isIdle = false
        if (Date.now() - checkedAt >= PING_MS) {
          if (!(await isAlive().catch(() => false))) return
          checkedAt = Date.now()
        }
        text = [...waiting.values()].map((change) => `data: ${JSON.stringify(change)}\n\n`).join('') || PING
        waiting.clear()
      }
    }
  }
}

async function isAccepted(written: Promise<unknown>): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined
  const stalled = new Promise<boolean>((resolve) => {
    limit = setTimeout(resolve, STALLED_MS, false).unref()
  })
  const isInTime = await Promise.race([written.then(() => true), stalled])
  clearTimeout(limit)
  return isInTime
}

/** Maximum number of sums that wait. Beyond it, the names of clients are left out. */
const MAX_WAITING = 50

/** Adds a change to the sum of its kind and its client. */
function addToSums(waiting: Map<string, Change>, { kind, by: client, saved = 0 }: Change): void {
  const by = waiting.size < MAX_WAITING ? client : undefined
  const name = JSON.stringify([kind, by])
  const sum = (waiting.get(name)?.saved ?? 0) + saved
  waiting.set(name, { kind, saved: sum || undefined, by })
}
