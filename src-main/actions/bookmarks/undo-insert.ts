import type { UndoReport } from '../../contract/call.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'

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
