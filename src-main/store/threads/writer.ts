import type { Writes } from '../families.ts'
import { type StartThread, startThread, type Thread } from './thread.ts'

/** The writes as the rest of the process sees them, answered once the change is on disk. */
export type Writer = Thread<Writes & Copies>

/** Copies the library to a file, bit by bit between other calls. */
interface Copies {
  copyTo(file: string): Promise<unknown>
}

/**
 * Starts the writing thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export function startWriter(file: string, start: StartThread = startThread): Promise<Writer> {
  return start<Writes & Copies>('writing', file)
}
