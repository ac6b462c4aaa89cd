import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { api } from '../../shared/api.ts'
import { sessionHeaders } from '../../shared/kept-session.ts'
import { ask } from '../../shared/request.ts'

/** How long an answer that is on its way may take, in milliseconds. */
const TIMEOUT_MS = 1000

/** A file on its way into the library, or into a preview of that. */
export interface SentFile {
  /** The name under which the service knows it. */
  name: string
  report: Promise<ImportReport>
  cancel(): Promise<void>
}

/** Sends a bookmark file. The body is the file itself, of any size, so it goes past the typed client. */
export function sendFile(file: File, dryRun: boolean): SentFile {
  const name = crypto.randomUUID()
  const leaving = new AbortController()
  const asked = new URLSearchParams({ name, 'dry-run': String(dryRun) })
  const sending = { method: 'POST', body: file, signal: leaving.signal, headers: sessionHeaders() }
  const answer = ask(fetch(`/api/imports?${asked}`, sending)) as Promise<ImportReport>
  const stopped = Promise.withResolvers<ImportReport>()
  return {
    name,
    report: Promise.race([stopped.promise, answer]),
    async cancel() {
      // A browser reads no answer before it has sent the whole file, so stopping is answered for itself.
      const asking = ask(api.imports.running[':name'].cancel.$post({ param: { name } })).catch(() => undefined)
      const report = (await asking) as ImportReport | undefined
      if (report) stopped.resolve(report)
      else await Promise.race([answer.catch(() => {}), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))])
      leaving.abort()
    }
  }
}

/** Whether there is anything to read: a folder can be dropped too, and a file may be gone. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
