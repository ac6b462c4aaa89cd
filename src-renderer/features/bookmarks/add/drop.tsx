import { plural, t } from '@lingui/core/macro'
import { Center } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { LIMITS, type Visibility } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask, endsSession } from '../../../api/client.ts'
import { endSession, refetch } from '../../../api/events.ts'
import { offerUndo, type UndoPart } from '../../../api/undo.ts'
import { longDate } from '../../../lib/dates.ts'
import { openedDialog, startAdding, startImporting } from '../../../shared/dialogs.ts'
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

/** The effect of a drop on the window. */
type Effect = 'save' | 'import'

/**
 * Handles drops anywhere on the window: files of bookmarks are imported, everything else is saved. Text that is dropped on
 * a field is left to the field, and a part of a page may handle its files.
 */
export function DropTarget({ onOpen }: { onOpen: (id: string) => void }) {
  const [over, setOver] = useState<Effect>()
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    // Drags that begin on this page are ignored, because they are of saved bookmarks.
    let isInternal = false
    const events: Record<string, (event: DragEvent) => void> = {
      dragstart: () => {
        isInternal = true
      },
      dragend: () => {
        isInternal = false
      },
      dragover(event) {
        const effect = effectOf(event, isInternal)
        setOver(effect)
        if (isForPart(event)) return
        event.preventDefault()
        if (event.dataTransfer) event.dataTransfer.dropEffect = effect ? 'copy' : 'none'
      },
      dragleave: ({ relatedTarget }) => relatedTarget === null && setOver(undefined),
      drop(event) {
        const { dataTransfer } = event
        const effect = effectOf(event, isInternal)
        setOver(undefined)
        // A row that was removed during its drag gets no `dragend` event.
        isInternal = false
        if (isForPart(event)) return
        // Otherwise the browser opens the dropped file or address in place of the page.
        event.preventDefault()
        if (!dataTransfer) return
        const [file] = dataTransfer.files
        if (effect === 'import' && file) startImporting(file)
        else if (effect === 'save') saveDrop(dataTransfer, (id) => open(id))
      }
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
      {over === 'save' ? t`Drop to save` : t`Drop to import`}
    </Center>
  ) : null
}

/** Whether a field or a part of the page handles the drop. */
function isForPart({ defaultPrevented, target, dataTransfer }: DragEvent): boolean {
  const isField = (target as Element).closest?.('input, textarea, [contenteditable]') !== null
  return defaultPrevented || (isField && !dataTransfer?.types.includes('Files'))
}

/** @param isInternal whether the drag began on this page */
function effectOf(event: DragEvent, isInternal: boolean): Effect | undefined {
  const { dataTransfer } = event
  if (isInternal || !dataTransfer || isForPart(event)) return undefined
  const hasDialog = document.querySelector('[aria-modal="true"]') !== null
  const { types } = dataTransfer
  // Pictures of pages come as files too.
  const isFile = types.includes('Files') && !types.includes('text/html') && !types.includes('text/uri-list')
  if (!isFile || areDraggedPictures(dataTransfer)) return hasDialog ? undefined : 'save'
  return hasDialog && openedDialog.get()?.kind !== 'import' ? undefined : 'import'
}

function saveDrop(data: DataTransfer, onOpen: (id: string) => void): void {
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
  else void saveDropped(dropped, onOpen)
}

/** Saves what is pasted while no field has the focus: an address at once, everything else after the dialog. */
export function usePaste(onOpen: (id: string) => void): void {
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const target = event.target as Element
      const { clipboardData } = event
      const [picture] = picturesIn(clipboardData)
      const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => clipboardData?.getData(type))
      const clipping = readClip({ text, html, picture: picture !== undefined })
      if (
        !clipping ||
        target.closest('input, textarea, [contenteditable]') ||
        document.querySelector('[aria-modal="true"]')
      ) {
        return
      }
      event.preventDefault()
      if (clipping.text === '') startAdding('', picture)
      else if (addressIn(clipping.text)) void saveDropped([clipping], (id) => open(id))
      else startAdding(clipping.text)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}

/**
 * Saves dropped items one after another, and reports the result. If one is refused, the others are still saved.
 *
 * @param fields tags and place for all items; existing bookmarks get the tags too
 * @returns the items that were not saved
 */
export async function saveDropped(
  dropped: Dropped[],
  onOpen: (id: string) => void,
  fields: SharedFields = {}
): Promise<Dropped[]> {
  const saved: string[] = []
  const existing: Outcome['existing'] = []
  const steps: number[] = []
  const unsaved = new Set(dropped)
  for (const item of dropped) {
    try {
      const { status, bookmark, undo } = await save(item, fields)
      if (status === 'saved') saved.push(bookmark.id)
      else existing.push(bookmark)
      if (undo !== null && status === 'existing') steps.push(undo)
      unsaved.delete(item)
    } catch (error) {
      if (endsSession(error)) {
        endSession()
        break
      }
      notifyError(error)
      if (!(error instanceof ApiProblem)) break
    }
  }
  report({ saved, existing, steps }, onOpen)
  if (saved.length > 0 || steps.length > 0) await refetch(['bookmarks'])
  return [...unsaved]
}

/** Fields that all items get. */
interface SharedFields {
  tags?: string[]
  visibility?: Visibility
  organization?: string | undefined
}

/** The ids of new bookmarks, the bookmarks that existed, and the undo steps of tags that were added to these. */
interface Outcome {
  saved: string[]
  existing: { id: string; createdAt: string }[]
  steps: number[]
}

function report(outcome: Outcome, onOpen: (id: string) => void): void {
  const { saved, existing, steps } = outcome
  const [first] = saved
  const [only] = existing
  const before = plural(existing.length, { one: 'Already saved.', other: 'All # were already saved.' })
  if (first !== undefined) {
    const rest =
      existing.length > 0 && plural(existing.length, { one: '# was already saved.', other: '# were already saved.' })
    const message = plural(saved.length, { one: 'Saved.', other: '# bookmarks saved.' })
    const open = { label: t`Open`, run: () => onOpen(first) }
    offerUndo(rest ? `${message} ${rest}` : message, partsOf(outcome), saved.length === 1 ? [open] : [])
  } else if (steps.length > 0) offerUndo(`${before} ${t`Tags were added.`}`, partsOf(outcome))
  else if (existing.length > 1) notify(before)
  else if (only) {
    notify(t`Already saved on ${longDate(only.createdAt)}.`, [{ label: t`Open`, run: () => onOpen(only.id) }])
  }
}

function partsOf({ saved, steps }: Outcome): UndoPart[] {
  const tagged = steps.toReversed().map((step) => ({ step }))
  return saved.length > 0 ? [...tagged, { trash: saved }] : tagged
}

async function save(item: Dropped, fields: SharedFields) {
  if (!('file' in item)) return ask(api.bookmarks.captures.$post({ json: { ...requestOf(item), ...fields } }))
  return { ...(await savePicture(item.file, { title: titleOfFile(item.file) })), undo: null }
}

function requestOf({ text, picture, title }: Exclude<Dropped, { file: File }>) {
  const detected = detect(text)
  return {
    ...fieldsOf(picture ? 'image' : detected.type, text, detected),
    title: title?.slice(0, LIMITS.title)
  }
}
