/** A file whose import failed is tried again after this time, in ms, even if it did not change. */
const RETRY_MS = 60_000

/** Decides when a file must be imported, from stamps that are taken at intervals. */
export interface FileWatch {
  /**
   * Returns true once for each change, as soon as two stamps in a row are equal; the change then counts as imported.
   *
   * @param stamp empty if there is no file; a file that exists again counts as changed
   */
  isDue(stamp: string, now: number): boolean
  /** Notes that the import failed, so that the file is due again after a minute. */
  failed(now: number): void
}

/** @param imported the stamp of the file when it was last imported */
export function fileWatch(imported?: string): FileWatch {
  let last = imported
  let retryAt = Number.POSITIVE_INFINITY
  return {
    isDue(stamp, now) {
      const rested = stamp === last
      last = stamp
      if (stamp === '') imported = undefined
      if (stamp === '' || !rested || (stamp === imported && now < retryAt)) return false
      imported = stamp
      retryAt = Number.POSITIVE_INFINITY
      return true
    },
    failed(now) {
      retryAt = now + RETRY_MS
    }
  }
}
