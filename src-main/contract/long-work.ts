import type { ProblemCode } from './problem.ts'

/** How far work of many steps has come. */
export interface WorkProgress {
  done: number
  total: number
}

/** How work of many steps may end before its end. What was done until then stays done. */
export interface EndedEarly {
  /** Somebody stopped it. */
  cancelled?: true
  /** A step failed: why, and what to do. */
  problem?: { code: ProblemCode; message: string }
}

/** The means to follow and stop work of many steps. */
export interface WorkControl {
  /** Whether to stop before the next step. */
  signal: AbortSignal
  onProgress(progress: WorkProgress): void
}
