import { setImmediate } from 'node:timers/promises'
import type { Redoable, UndoPart, UndoReport, UndoTarget } from '../contract/call.ts'
import type { EndedEarly, WorkControl } from '../contract/change.ts'
import type { ImportUndone } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'
import { endedBy } from './long-work.ts'
import type { Ports } from './ports.ts'

/**
 * Undoes one change of bookmarks or tags. Bookmarks that were changed again since stay as they are. The report names the
 * redo step. If a batch fails after others were done, the report has the problem, and undoing again continues.
 *
 * @throws Problem `not-found` if there is no such step, it was undone before, none of its bookmarks exists, or it is more
 *   than a day old; `taken` if a tag’s former name is in use again
 */
export function undoChange(
  ports: Ports,
  step: number,
  onProgress?: WorkControl['onProgress']
): Promise<UndoReport & Redoable & EndedEarly> {
  const missing = 'Nothing left to undo.'
  return undoInBatches(ports, { step }, missing, { onProgress })
}

/**
 * Moves the bookmarks of an import to the trash, from which they can still be restored. Bookmarks that changed since
 * stay, and so do organizations that the import created. If it is stopped, the rest can be undone later.
 *
 * @throws Problem `not-found` if there is no such import, it was undone before, or it is more than 30 days old; `taken` if
 *   the bookmarks came from other machines
 */
export async function undoImport(ports: Ports, id: number, control?: WorkControl): Promise<ImportUndone> {
  const missing = `There is no import ${id} to undo. It may be undone already, or be more than 30 days old.`
  const { redo: _redo, ...report } = await undoInBatches(ports, { import: id }, missing, control)
  return report
}

/**
 * Moves the bookmarks of a call to the trash. Bookmarks that were changed since stay.
 *
 * @throws Problem `not-found` if the call saved nothing, was undone before, or is more than 90 days old
 */
export async function undoInsert(ports: Ports, callId: number): Promise<UndoReport & EndedEarly> {
  const missing =
    'This call has nothing to undo: it saved nothing new, was already undone, or is more than 90 days old.'
  const { redo: _redo, ...report } = await undoInBatches(ports, { call: callId }, missing)
  return report
}

/** @param missing the message if there is nothing to undo */
async function undoInBatches(
  { library, now }: Ports,
  target: UndoTarget,
  missing: string,
  { signal, onProgress }: Partial<WorkControl> = {}
): Promise<UndoReport & Redoable & EndedEarly> {
  const time = now()
  let report: UndoReport & Redoable = { undone: 0, kept: 0, redo: null }
  try {
    for (let part: UndoPart | undefined; part?.next !== null; ) {
      if (signal?.aborted) return { ...report, cancelled: true }
      part = await library.undoBatch(target, time, part)
      if (!part) throw new Problem('not-found', missing)
      const { undone, kept, redo } = part
      report = { undone, kept, redo }
      onProgress?.({ done: undone + kept, total: part.total })
      await setImmediate() // other work, such as stopping this, continues in between
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.undone) }
  }
}
