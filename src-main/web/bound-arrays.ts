/** Together they may hold this much, in bytes: a hundred megabyte that are in use for a moment hurt nobody. */
const MOST_TOGETHER = 96 * 1024 * 1024

/** Looked at again whenever so much more was asked for, in bytes. */
const LOOK_EVERY = 8 * 1024 * 1024

/**
 * Bounds what this thread's byte arrays hold, which the limits of a thread do not count: from here on an array that is
 * larger, or that comes when all of them hold too much, throws a `RangeError`. Streams are then unpacked into arrays
 * only, and not by the system, which would hold what it unpacked elsewhere.
 *
 * @param most the largest array, in bytes
 */
export function boundArrays(most: number): void {
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  let asked = 0
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args: [unknown], newTarget) {
      const [length] = args
      if (typeof length === 'number') {
        asked += length
        if (length > most || (asked > LOOK_EVERY && isTooMuch())) throw new RangeError('Too large to read')
      }
      return Reflect.construct(target, args, newTarget)
    }
  })

  function isTooMuch(): boolean {
    asked = 0
    return process.memoryUsage().arrayBuffers > MOST_TOGETHER
  }
}
