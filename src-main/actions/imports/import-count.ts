import type { Dropped, ImportProgress, ImportReport, Skipped } from '../../contract/import-report.ts'
import type { ImportedStatus } from '../../contract/library-import.ts'

/** Rejected records that are listed, so that a file of nothing else cannot fill the memory. */
const MOST_REJECTS = 1000

export type ImportCount = ReturnType<typeof createImportCount>

/** Puts every record of an import in one of three counts. */
export function createImportCount(onProgress?: (progress: ImportProgress) => void) {
  const report: ImportReport = { imported: 0, duplicate: 0, rejected: 0, rejects: [] }
  let read = 0
  let found = 0

  function tell(): void {
    const { imported, duplicate, rejected } = report
    onProgress?.({ read, found, imported, duplicate, rejected })
  }

  return {
    report,
    bytes(length: number): void {
      read += length
      tell()
    },
    found(records: number): void {
      found += records
    },
    skipped(what: Skipped): void {
      report.skipped ??= {}
      report.skipped[what] = (report.skipped[what] ?? 0) + 1
    },
    encoding(name: string): void {
      if (!report.encodings?.includes(name)) report.encodings = [...(report.encodings ?? []), name]
    },
    duplicates(more: number): void {
      report.duplicate += more
    },
    dropped(all: Dropped[]): void {
      for (const what of all) {
        report.dropped ??= {}
        report.dropped[what] = (report.dropped[what] ?? 0) + 1
      }
    },
    saved(statuses: ImportedStatus[], importId?: number): void {
      for (const status of statuses) {
        report[status === 'saved' ? 'imported' : 'duplicate'] += 1
        if (status !== 'saved' && status !== 'existing') report.repeated = (report.repeated ?? 0) + 1
        if (status === 'merged' || status === 'merged in part') report.merged = (report.merged ?? 0) + 1
        if (status === 'merged in part') this.dropped(['ends of long descriptions'])
      }
      if (importId !== undefined && report.imported > 0) report.undo = importId
      tell()
    },
    reject({ line }: { line: number }, reason: string, file?: string): void {
      report.rejected += 1
      if (report.rejects.length < MOST_REJECTS) report.rejects.push({ line, reason, file })
      else report.unlisted = (report.unlisted ?? 0) + 1
    }
  }
}
