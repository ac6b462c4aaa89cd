import { queryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportReport, ImportUndone } from '../../../src-main/contract/import-report.ts'
import { api } from '../../shared/api.ts'
import { refreshBookmarks } from '../../shared/refresh.ts'
import { ask, endsSession } from '../../shared/request.ts'
import { endSession } from '../../shared/session.ts'
import { forgetImport, rememberImport } from '../../shared/undo.ts'
import { common } from '../../strings/common.ts'
import { imports as strings } from '../../strings/imports.ts'
import { isReadable, type SentFile, sendFile } from './send-file.ts'

/** How often it is asked how far an import has come, in milliseconds. */
const LOOK_EVERY = 300

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
    const begun = sendFile(file, at === 'reading')
    sent.current = begun
    setStep({ at, file, name: begun.name })
    try {
      const report = await begun.report
      if (at === 'importing') {
        if (report.undo !== undefined) rememberImport(strings.done(report.imported), report.undo)
        setStep({ at: 'done', report })
      } else setStep(report.cancelled ? { at: 'choose' } : { at: 'preview', file, report })
    } catch (error) {
      if (endsSession(error)) endSession()
      const wasLeft = error instanceof DOMException && error.name === 'AbortError'
      setStep({ at: 'choose', problem: wasLeft ? undefined : messageOf(error) })
    } finally {
      setCancelling(false)
      if (at === 'importing') await refreshBookmarks()
    }
  }

  async function choose(file: File) {
    if (await isReadable(file)) await send(file, 'reading')
    else setStep({ at: 'choose', problem: strings.unreadable(file.name) })
  }

  const busy = step.at === 'reading' || step.at === 'importing'
  useFirst(first, async (file) => {
    if (!busy) await choose(file)
  })
  useStay(step.at === 'importing')

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
        await refreshBookmarks()
      } catch (error) {
        if (endsSession(error)) endSession()
        setStep({ ...step, problem: messageOf(error) })
      }
    }
  }
}

/** How far an import has come, once the service has begun with it. */
export const progressOptions = (name: string) =>
  queryOptions({
    queryKey: ['import-progress', name],
    queryFn: () => ask(api.imports.running[':name'].$get({ param: { name } })),
    refetchInterval: LOOK_EVERY,
    retry: false
  })

/** Begins with a file that was given from elsewhere, whenever it is another one. */
function useFirst(first: File | undefined, choose: (file: File) => Promise<void>): void {
  const begin = useEffectEvent(choose)
  useEffect(() => {
    if (first) void begin(first)
  }, [first])
}

/** Asks before the page is left while the file is still being sent. */
function useStay(busy: boolean): void {
  useEffect(() => {
    if (!busy) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [busy])
}

function messageOf(error: unknown): string {
  return (error instanceof Error && error.message) || common.unexpected
}
