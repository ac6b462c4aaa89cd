import { plural, t } from '@lingui/core/macro'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportReport, ImportUndone } from '../../../src-main/contract/import-report.ts'
import { api, ask, endsSession, sessionHeaders } from '../../api/client.ts'
import { endSession, refetch } from '../../api/events.ts'
import { forgetImport, rememberImport } from '../../api/undo.ts'
import { errorText } from '../../lib/problem-text.ts'

type Step =
  | { at: 'choose'; problem?: string }
  | { at: 'reading' | 'importing'; file: File; name: string }
  | { at: 'preview'; file: File; report: ImportReport }
  | { at: 'done'; report: ImportReport; undone?: ImportUndone; problem?: string; undoing?: string | undefined }

/** An import from the choice of a file to its report. */
export function useImport(first: File | undefined) {
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const sent = useRef<SentFile>(undefined)
  const [cancelling, setCancelling] = useState(false)

  async function send(file: File, at: 'reading' | 'importing') {
    const sending = sendFile(file, at === 'reading')
    sent.current = sending
    setStep({ at, file, name: sending.name })
    try {
      const report = await sending.report
      if (at === 'importing') {
        if (report.undo !== undefined)
          rememberImport(
            t`${plural(report.imported, { one: '# bookmark', other: '# bookmarks' })} imported.`,
            report.undo
          )
        setStep({ at: 'done', report })
      } else setStep(report.cancelled ? { at: 'choose' } : { at: 'preview', file, report })
    } catch (error) {
      if (endsSession(error)) endSession()
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      setStep({ at: 'choose', problem: isCancelled ? undefined : errorText(error) })
    } finally {
      setCancelling(false)
      if (at === 'importing') await refetch(['bookmarks'])
    }
  }

  async function choose(file: File) {
    if (await isReadable(file)) await send(file, 'reading')
    else setStep({ at: 'choose', problem: t`${file.name} cannot be read. Choose a file.` })
  }

  const busy = step.at === 'reading' || step.at === 'importing'
  useGivenFile(first, async (file) => {
    if (!busy) await choose(file)
  })
  // The browser asks before the page closes.
  useWindowEvent('beforeunload', (event) => step.at === 'importing' && event.preventDefault())

  return {
    step,
    busy,
    cancelling,
    choose,
    run: () => step.at === 'preview' && void send(step.file, 'importing'),
    back: () => setStep({ at: 'choose' }),
    cancel() {
      setCancelling(true)
      void sent.current?.cancel()
    },
    async undo(id: number) {
      if (step.at !== 'done') return
      const name = crypto.randomUUID()
      setStep({ ...step, undoing: name })
      try {
        const undone = await ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
        forgetImport(id)
        setStep({ ...step, undone })
        await refetch(['bookmarks'])
      } catch (error) {
        if (endsSession(error)) endSession()
        setStep({ ...step, problem: errorText(error) })
      }
    }
  }
}

/** Chooses the file with which the dialog was opened, and again if it is opened with another one. */
function useGivenFile(given: File | undefined, choose: (file: File) => Promise<void>): void {
  const chooseFile = useEffectEvent(choose)
  useEffect(() => {
    if (given) void chooseFile(given)
  }, [given])
}

/** Maximum wait for the answer of a cancelled import, in ms. */
const TIMEOUT_MS = 1000

/** A file that is sent to be imported or previewed. */
interface SentFile {
  /** The name of the import, for its progress and for cancelling it. */
  name: string
  report: Promise<ImportReport>
  cancel(): Promise<void>
}

/** Sends a bookmark file of any size. The typed client cannot send a file as the body. */
function sendFile(file: File, dryRun: boolean): SentFile {
  const name = crypto.randomUUID()
  const abort = new AbortController()
  const query = new URLSearchParams({ name, file: file.name.slice(-255), 'dry-run': String(dryRun) })
  const request = { method: 'POST', body: file, signal: abort.signal, headers: sessionHeaders() }
  const answer = ask(fetch(`/api/imports?${query}`, request)) as Promise<ImportReport>
  const stopped = Promise.withResolvers<ImportReport>()
  return {
    name,
    report: Promise.race([stopped.promise, answer]),
    async cancel() {
      // A browser does not read an answer before it has sent the whole file, so this request returns the report too.
      const cancelling = ask(api.imports.running[':name'].cancel.$post({ param: { name } })).catch(() => undefined)
      const report = (await cancelling) as ImportReport | undefined
      if (report) stopped.resolve(report)
      else await Promise.race([answer.catch(() => {}), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))])
      abort.abort()
    }
  }
}

/** Whether a file can be read. A dropped folder cannot, nor can a file that was deleted since. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
