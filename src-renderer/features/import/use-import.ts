import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportReport, ImportUndone } from '../../../src-main/contract/import-report.ts'
import { api, ask, endsSession } from '../../api/client.ts'
import { endSession, refetch } from '../../api/events.ts'
import { forgetImport, rememberImport } from '../../api/undo.ts'
import { useAskBeforeLeaving } from '../../lib/use-ask-before-leaving.ts'
import { common } from '../../strings/common.ts'
import { imports as strings } from '../../strings/imports.ts'
import { isReadable, type SentFile, sendFile } from './send-file.ts'

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
      if (at === 'importing') await refetch(['bookmarks'])
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
  useAskBeforeLeaving(step.at === 'importing')

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
        setStep({ ...step, problem: messageOf(error) })
      }
    }
  }
}

/** Begins with a file that was given from elsewhere, whenever it is another one. */
function useFirst(first: File | undefined, choose: (file: File) => Promise<void>): void {
  const begin = useEffectEvent(choose)
  useEffect(() => {
    if (first) void begin(first)
  }, [first])
}

function messageOf(error: unknown): string {
  return (error instanceof Error && error.message) || common.unexpected
}
