import type { Recovery } from '../contract/doctor.ts'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'

const LOST: ProblemCode[] = ['library-missing', 'library-damaged', 'not-a-library']

/** The library cannot be opened, and this is what can take its place. */
export class LibraryLost extends Problem {
  readonly recovery: Recovery

  constructor({ code, message }: Problem, recovery: Recovery) {
    super(code, message)
    this.recovery = recovery
  }
}

/** The error with what can be done about it, where it says that the library is lost. */
export async function withRecovery(error: unknown, data: string): Promise<unknown> {
  if (!(error instanceof Problem) || !LOST.includes(error.code)) return error
  const { recoveryIn } = await import('../service.ts')
  return new LibraryLost(error, await recoveryIn(data))
}

/** Says what a recovery would give back and what not, in words for a person. */
export function lossOf({ backup }: Recovery): string {
  if (!backup) return 'There is no backup that can replace it.'
  const count = `${backup.bookmarks} ${backup.bookmarks === 1 ? 'bookmark' : 'bookmarks'}`
  return (
    `The newest good backup has ${count}, as of ${isoTime(backup.at)}. It lacks what was saved or changed ` +
    'after that. What is left of the current library is kept.'
  )
}
