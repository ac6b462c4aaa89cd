import type { UndoReport } from '../../contract/call.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { sameLibrary } from '../library/same-library.ts'

/**
 * Takes back all that one import added: it goes to the trash, where it can still be restored. What was changed since
 * stays, and so do organizations the import made.
 *
 * @throws Problem `not-found` when there is no such import, it was undone before, or it is more than 30 days old; `taken`
 *   when a backup is restored meanwhile
 */
export async function undoImport(ports: Ports, id: number): Promise<UndoReport> {
  const report: UndoReport = { undone: 0, kept: 0 }
  const inSameLibrary = sameLibrary(ports.library)
  for (let done = false; !done; ) {
    inSameLibrary()
    const step = await ports.library.undoImportSome(id, ports.now())
    if (!step) throw new Problem('not-found', 'This import was undone before, or is too old to be undone.')
    report.undone += step.undone
    report.kept += step.kept
    done = step.done
  }
  return report
}
