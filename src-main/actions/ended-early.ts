import type { EndedEarly } from '../contract/long-work.ts'
import { Problem } from '../contract/problem.ts'

/**
 * Returns what a report says of a step that failed after others were done, so that nobody hears "nothing was saved" of
 * a change that was made in part.
 *
 * @throws the error itself where nothing was done yet, or where it is a bug
 */
export function endedBy(error: unknown, done: number): EndedEarly {
  // What was done in a library that another has taken the place of is of no use in this one.
  if (!(error instanceof Problem) || error.code === 'taken' || done === 0) throw error
  const { code } = error
  return { problem: { code, message: code === 'disk-full' ? DISK_FULL : error.message } }
}

const DISK_FULL = 'Then the disk was full. Free some space and do it again for the rest.'
