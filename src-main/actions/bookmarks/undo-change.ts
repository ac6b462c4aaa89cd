import type { UndoReport } from '../../contract/call.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'

/**
 * Takes back one change of bookmarks or tags. Bookmarks that were changed again since stay as they are.
 *
 * @throws Problem `not-found` when there is no such step, it was taken back before, or it is more than a day old
 */
export async function undoChange(ports: Ports, step: number): Promise<UndoReport> {
  const report = await ports.library.undoStep(step)
  if (!report) throw new Problem('not-found', 'This change was undone before, or is too old to be undone.')
  return report
}
