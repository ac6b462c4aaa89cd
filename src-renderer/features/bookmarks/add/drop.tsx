import { plural, t } from '@lingui/core/macro'
import { Center } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { LIMITS, type Visibility } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask, endsSession } from '../../../api/client.ts'
import { endSession, refetch } from '../../../api/events.ts'
import { offerUndo, type UndoPart } from '../../../api/undo.ts'
import { number } from '../../../lib/locale.ts'
import { startAdding, startImporting } from '../../../shared/dialogs.ts'
import { notify, notifyError } from '../../../ui/notify.tsx'
import {
  addressIn,
  areDraggedPictures,
  type Dropped,
  detect,
  fieldsOf,
  picturesIn,
  readClip,
  readDrop
} from './detect.ts'
import { savePicture, titleOfFile } from './picture-file.tsx'

/** Saves what is dropped anywhere on the window. Fields take text themselves, and a part of a page its own files. */
export function DropTarget({ onOpen }: { onOpen: (id: string) => void }) {
  const [over, setOver] = useState(false)
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    // What is dragged from this very page is saved already.
    let own = false
    const ofField = ({ target, dataTransfer }: DragEvent) =>
      (target as Element).closest?.('input, textarea, [contenteditable]') && !dataTransfer?.types.includes('Files')
    const isOurs = (event: DragEvent) => !event.defaultPrevented && !ofField(event)
    const isBusy = () => own || document.querySelector('[aria-modal="true"]') !== null

    const events: Record<string, (event: DragEvent) => void> = {
      dragstart: () => {
        own = true
      },
      dragend: () => {
        own = false
      },
      dragover(event) {
        setOver(isOurs(event) && !isBusy())
        if (!isOurs(event)) return
        event.preventDefault()
        if (event.dataTransfer) event.dataTransfer.dropEffect = isBusy() ? 'none' : 'copy'
      },
      dragleave: ({ relatedTarget }) => relatedTarget === null && setOver(false),
      drop(event) {
        setOver(false)
        // A row that is gone by then does not say that its drag has ended.
        const wasOwn = own
        own = false
        if (!isOurs(event)) return
        // Otherwise the browser leaves the page for what was dropped.
        event.preventDefault()
        if (event.dataTransfer && !wasOwn && !isBusy()) take(event.dataTransfer)
      }
    }
    function take(data: DataTransfer): void {
      const dropped = readDrop(data)
      const [first] = dropped
      if (dropped.length === 0)
        notify(
          data.types.includes('Files')
            ? t`Files of this type cannot be saved. Drop a picture, a link, or a text.`
            : t`It contains nothing that can be saved.`
        )
      else if (first && 'text' in first && first.text === '')
        notify(t`This picture has no address. Copy the picture itself, and paste it here.`)
      else void saveDropped(dropped, (id) => open(id))
    }
    for (const [name, listener] of Object.entries(events)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(events)) window.removeEventListener(name, listener as EventListener)
    }
  }, [])

  return over ? (
    <Center
      pos="fixed"
      inset={10}
      bd="2px dashed var(--earmark-accent)"
      bdrs={14}
      bg="light-dark(rgb(233 237 255 / 88%), rgb(31 36 58 / 90%))"
      fz="1.25rem"
      fw={600}
      style={{ zIndex: 500, pointerEvents: 'none' }}
      aria-hidden
    >
      {t`Drop to save`}
    </Center>
  ) : null
}

/** Pasting into no field means to save what is pasted: an address at once, anything else once one has looked at it. */
export function usePaste(onOpen: (id: string) => void): void {
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const target = event.target as Element
      const { clipboardData } = event
      const [picture] = picturesIn(clipboardData)
      const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => clipboardData?.getData(type))
      const wanted = readClip({ text, html, picture: picture !== undefined })
      if (
        !wanted ||
        target.closest('input, textarea, [contenteditable]') ||
        document.querySelector('[aria-modal="true"]')
      ) {
        return
      }
      event.preventDefault()
      if (wanted.text === '') startAdding('', picture)
      else if (addressIn(wanted.text)) void saveDropped([wanted], (id) => open(id))
      else startAdding(wanted.text)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}

/**
 * Dropping a file anywhere means to import it, unless another dialog is open, or it is a picture. Pictures of pages come
 * as files too.
 */
export function useFileDrop(importing: boolean): void {
  useEffect(() => {
    const withFile = (work: (event: DragEvent) => void) => (event: DragEvent) => {
      const { dataTransfer } = event
      const types = dataTransfer?.types ?? []
      if (!dataTransfer || areDraggedPictures(dataTransfer)) return
      if (!types.includes('Files') || types.includes('text/html') || types.includes('text/uri-list')) return
      event.preventDefault()
      work(event)
    }
    const onOver = withFile(() => {})
    const onDrop = withFile(({ dataTransfer }) => {
      const file = dataTransfer?.files[0]
      if (file && (importing || !document.querySelector('[aria-modal="true"]'))) startImporting(file)
    })
    document.addEventListener('dragover', onOver)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onOver)
      document.removeEventListener('drop', onDrop)
    }
  }, [importing])
}

/**
 * Saves what was dropped, one after another, and says what became of it. One that is refused keeps none from it.
 *
 * @param said tags and place for all of them; what is there already gets the tags too
 * @returns those that were not saved
 */
export async function saveDropped(
  dropped: Dropped[],
  onOpen: (id: string) => void,
  fields: SharedFields = {}
): Promise<Dropped[]> {
  const saved: string[] = []
  const existing: string[] = []
  const steps: number[] = []
  const left = new Set(dropped)
  for (const one of dropped) {
    try {
      const { status, bookmark, undo } = await save(one, fields)
      ;(status === 'saved' ? saved : existing).push(bookmark.id)
      if (undo !== null && status === 'existing') steps.push(undo)
      left.delete(one)
    } catch (error) {
      if (endsSession(error)) {
        endSession()
        break
      }
      notifyError(error)
      if (!(error instanceof ApiProblem)) break
    }
  }
  tell({ saved, existing, steps }, onOpen)
  if (saved.length > 0 || steps.length > 0) await refetch(['bookmarks'])
  return [...left]
}

/** Fields that all of them get. */
interface SharedFields {
  tags?: string[]
  visibility?: Visibility
  organization?: string | undefined
}

/** Bookmarks by their ids, and the steps that take back the tags that some of them got. */
interface Outcome {
  saved: string[]
  existing: string[]
  steps: number[]
}

function tell(outcome: Outcome, onOpen: (id: string) => void): void {
  const { saved, existing, steps } = outcome
  const [only] = existing
  if (saved.length > 0) {
    const [first] = saved
    const open = { label: t`Open`, run: () => first !== undefined && onOpen(first) }
    offerUndo(
      plural(saved.length, { one: 'Saved.', other: '# bookmarks saved.' }) +
        (existing.length > 0 ? ` ${t`${number(existing.length)} you had already.`}` : ''),
      partsOf(outcome),
      saved.length === 1 ? [open] : []
    )
  } else if (steps.length > 0)
    offerUndo(
      t`You have ${plural(existing.length, { one: 'this', other: 'all #' })} already. Tags were added.`,
      partsOf(outcome)
    )
  else if (only !== undefined && existing.length === 1) {
    notify(t`You have this already`, [{ label: t`Open`, run: () => onOpen(only) }])
  } else if (existing.length > 1) notify(t`You have all ${number(existing.length)} already.`)
}

function partsOf({ saved, steps }: Outcome): UndoPart[] {
  const tagged = steps.toReversed().map((step) => ({ step }))
  return saved.length > 0 ? [...tagged, { trash: saved }] : tagged
}

async function save(one: Dropped, fields: SharedFields) {
  if (!('file' in one)) return ask(api.bookmarks.captures.$post({ json: { ...requestOf(one), ...fields } }))
  return { ...(await savePicture(one.file, { title: titleOfFile(one.file) })), undo: null }
}

function requestOf({ text, picture, title }: Exclude<Dropped, { file: File }>) {
  const detected = detect(text)
  return {
    ...fieldsOf(picture ? 'image' : detected.type, text, detected),
    title: title?.slice(0, LIMITS.title)
  }
}
