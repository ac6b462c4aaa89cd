import { setImmediate } from 'node:timers/promises'

/** Bytes that are read at once, a few milliseconds' work; in between others get their turn. */
const STEP = 16_384

/**
 * A file's pieces until somebody stops reading, even where the next one is long in coming. Being stopped is not the
 * file's end: a record cut in two would count as one.
 *
 * @param onRead told how many bytes were worked off
 * @throws the signal's reason once it is aborted
 */
export async function* untilStopped(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  onRead: (length: number) => void
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await orStopped(pieces.next(), signal)
      if (done) return
      for (let at = 0; at < value.length; at += STEP) {
        const piece = value.subarray(at, at + STEP)
        yield piece
        onRead(piece.length)
        await setImmediate()
        signal?.throwIfAborted()
      }
    }
  } finally {
    void pieces.return?.().catch(() => {}) // nobody waits for a sender that stalls
  }
}

/** Listens only as long as it waits: what waits for a signal that never comes would keep every piece. */
function orStopped<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    waited.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}
