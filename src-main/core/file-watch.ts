/** Milliseconds after which a file whose import failed is tried again though it did not change. */
const RETRY_AFTER = 60_000

/** Decides from the stamps of a file, taken again and again, when it is to be imported. */
export interface FileWatch {
  /**
   * Takes the file's stamp, which is empty where there is no file. True once for each change, when the file was left
   * alone since the stamp before; the change then counts as imported. A file that comes back has changed.
   */
  isDue(stamp: string, now: number): boolean
  /** Notes that the import failed, so that the file is due again after a minute. */
  failed(now: number): void
}

/** @param done the stamp that needs no import, because one was made of it */
export function fileWatch(done?: string): FileWatch {
  let last = done
  let retryAt = Number.POSITIVE_INFINITY
  return {
    isDue(stamp, now) {
      const rested = stamp === last
      last = stamp
      if (stamp === '') done = undefined
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
