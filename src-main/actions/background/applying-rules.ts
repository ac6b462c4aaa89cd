import { setImmediate } from 'node:timers/promises'
import type { Changes } from '../../contract/change.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** How often it is looked for what a large import left, which is indexed without an event. */
const LOOK_EVERY_MS = 15_000

/** Applies rules to new bookmarks, some at a time. Whose turn it is stands in the library, so an end loses none. */
export function createApplyingRules(
  { library, now }: Pick<Ports, 'library' | 'now'>,
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const worker = backgroundWorker(
    {
      look,
      every: LOOK_EVERY_MS,
      wakesOn: ({ kind, saved = 0 }) => kind === 'details' || (kind === 'bookmarks' && saved > 0)
    },
    changes,
    onError
  )

  async function look(): Promise<void> {
    while (!worker.isClosed() && (await library.isRuleDue())) {
      if (!(await library.inOneLibrary(applySome))) return
      await setImmediate() // between two parts others get their turn
    }
  }

  /** False when nothing that is due can be done yet. */
  async function applySome(): Promise<boolean> {
    const turns = await library.matchRules()
    if (turns.bookmarks.length > 0) await library.applyRules(turns, now())
    return turns.bookmarks.length > 0
  }

  return worker
}
