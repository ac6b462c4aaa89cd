/** What a thread works with once its connection is open. */
export interface Work {
  calls: object
  /** After each call. */
  afterwards?(): void
  close(): void
}
