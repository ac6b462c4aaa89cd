import { setImmediate } from 'node:timers/promises'
import type { Redoable, UndoReport } from '../../contract/call.ts'
import type { EndedEarly, WorkControl } from '../../contract/long-work.ts'
import { Problem } from '../../contract/problem.ts'
import { endedBy } from '../ended-early.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'

/**
 * Takes back one change of bookmarks or tags, part by part, to its end. Bookmarks that were changed again since stay as
 * they are. The report names the step that makes the change again. Where a part fails after others were made, the report says so; undoing again goes on.
 *
 * @throws Problem `not-found` when there is no such step, it was taken back before, nothing of it is left, or it is more
 *   than a day old; `taken` when a backup is restored meanwhile, or a tag's former name is in use again
 */
export async function undoChange(
  ports: Ports,
  step: number,
  onProgress?: WorkControl['onProgress']
): Promise<UndoReport & Redoable & EndedEarly> {
  const inSameLibrary = sameLibrary(ports.library)
  const report: UndoReport & Redoable = { undone: 0, kept: 0, redo: null }
  let total = 0
  try {
    for (let after: number | null = 0; after !== null; ) {
      inSameLibrary()
      const part = await ports.library.undoStepSome(step, after, report.redo)
      if (!part)
        throw new Problem(
          'not-found',
          'This change was already undone, is too old to undo, or nothing that it changed is left.'
        )
      report.undone += part.undone
      report.kept += part.kept
      report.redo = part.redo
      total = part.total ?? total
      after = part.next
      onProgress?.({ done: report.undone + report.kept, total })
      await setImmediate() // between two parts others get their turn
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.undone) }
  }
}

/**
 * Takes back what one call saved, as one step: the bookmarks go to the trash, where they can still be restored. What
 * was changed since stays.
 *
 * @throws Problem `not-found` when there is no such call, or it was undone before
 */
export async function undoInsert(ports: Ports, callId: number): Promise<UndoReport> {
  const report = await ports.library.undoCall(callId, ports.now())
  if (!report) throw new Problem('not-found', 'There is no such call, or it was already undone.')
  return report
}
