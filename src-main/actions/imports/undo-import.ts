import { setImmediate } from 'node:timers/promises'
import type { UndoReport } from '../../contract/call.ts'
import type { WorkControl } from '../../contract/change.ts'
import type { ImportUndone } from '../../contract/import-report.ts'
import { Problem } from '../../contract/problem.ts'
import { endedBy, sameLibrary } from '../long-work.ts'
import type { Ports } from '../ports.ts'

/**
 * Takes back all that one import added: it goes to the trash, where it can still be restored. What was changed since
 * stays, and so do organizations the import made. Stopped, it leaves the rest, which can be taken back later.
 *
 * @throws Problem `not-found` when there is no such import, it was undone before, or it is more than 30 days old; `taken`
 *   when a backup is restored meanwhile
 */
export async function undoImport(ports: Ports, id: number, control?: WorkControl): Promise<ImportUndone> {
  const report: UndoReport = { undone: 0, kept: 0 }
  const inSameLibrary = sameLibrary(ports.library)
  const total = (await ports.library.listImports()).find((one) => one.id === id)?.imported ?? 0
  try {
    for (let done = false; !done; ) {
      if (control?.signal.aborted) return { ...report, cancelled: true }
      inSameLibrary()
      const step = await ports.library.undoImportSome(id, ports.now())
      if (!step) throw nothingToUndo(id)
      report.undone += step.undone
      report.kept += step.kept
      done = step.done
      const so = report.undone + report.kept
      control?.onProgress({ done: so, total: Math.max(so, total) })
      await setImmediate() // between two parts others get their turn
    }
    return report
  } catch (error) {
    return { ...report, ...endedBy(error, report.undone) }
  }
}

function nothingToUndo(id: number): Problem {
  return new Problem(
    'not-found',
    `There is no import ${id} to undo. It may be undone already, or be more than 30 days old.`
  )
}
