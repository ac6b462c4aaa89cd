/** Milliseconds after which a file whose import failed is tried again though it did not change. */
const RETRY_AFTER = 60_000

/** Decides from looks at a file when it is to be imported. */
export interface FileLooks {
  /**
   * Takes the file's stamp, which is empty where there is no file. True once for each change, when the file was left
   * alone since the look before; what is begun then counts as done.
   */
  isDue(stamp: string, now: number): boolean
  /** What was begun failed. */
  failed(now: number): void
}

/** @param done the stamp that needs no import, because one was made of it */
export function fileLooks(done?: string): FileLooks {
  let last = done
  let retryAt = Number.POSITIVE_INFINITY
  return {
    isDue(stamp, now) {
      const rested = stamp === last
      last = stamp
      if (stamp === '' || !rested || (stamp === done && now < retryAt)) return false
      done = stamp
      retryAt = Number.POSITIVE_INFINITY
      return true
    },
    failed(now) {
      retryAt = now + RETRY_AFTER
    }
  }
}
