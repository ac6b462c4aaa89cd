import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { notify } from '../../../ui/notify.tsx'
import classes from './drop-target.module.css'
import { readDrop } from './read-drop.ts'
import { saveDropped } from './save-dropped.ts'

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
    <div className={classes.target} aria-hidden>
      {t`Drop to save`}
    </div>
  ) : null
}
