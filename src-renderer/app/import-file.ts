import type { ImportReport } from '../../src-main/contract/import-report.ts'
import { ask } from './request.ts'

/** Imports a browser's bookmark file. Its body is the file itself, of any size, so it goes past the typed client. */
export function importFile(file: File): Promise<ImportReport> {
  return ask(fetch('/api/imports', { method: 'POST', body: file })) as Promise<ImportReport>
}
