import type { Change } from '../contract/change.ts'

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
 * What waits for a slow reader is kept as sums, never as a queue, so a reader that stalls holds no memory.
 *
 * @param isAlive asked with every ping; the stream ends when it says no
 * @param onEnd called once, however the stream ends
 */
export function createEventStream(isAlive: () => Promise<boolean>, onEnd: () => void): EventStream {
  const waiting = new Map<string, Change>()
  let controller: ReadableStreamDefaultController<Uint8Array>
  let ended = false
  let paused = false
  let missed = 0

  function tell(change: Change): void {
    const by = waiting.size < MOST_WAITING ? change.by : undefined
    const name = JSON.stringify([change.kind, by])
    const before = waiting.get(name)?.saved ?? 0
    const saved = before + (change.saved ?? 0)
    waiting.set(name, { kind: change.kind, saved: saved || undefined, by })
    flush()
  }

  function flush(): void {
    if (ended || paused || waiting.size === 0 || !hasRoom()) return
    const lines = [...waiting.values()].map((change) => `data: ${JSON.stringify(change)}\n\n`)
    waiting.clear()
    send(lines.join(''))
    paused = true
    setTimeout(() => {
      paused = false
      flush()
    }, APART_MS).unref()
  }

  function hasRoom(): boolean {
    return (controller.desiredSize ?? 0) > 0
  }

  function send(text: string): void {
    controller.enqueue(new TextEncoder().encode(text))
  }

  async function ping(): Promise<void> {
    if (!(await isAlive())) return end()
    if (ended) return
    if (hasRoom()) {
      missed = 0
      send(': ping\n\n')
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
      send('retry: 1000\n: open\n\n')
    },
    pull: flush,
    cancel: () => void stop()
  })
  return { body, tell, end }
}
