/** How far work of many steps has come. */
export interface WorkProgress {
  done: number
  total: number
}

/** What work of many steps is watched and stopped by. */
export interface WorkControl {
  /** Whether to stop before the next step. */
  signal: AbortSignal
  onProgress(progress: WorkProgress): void
}
