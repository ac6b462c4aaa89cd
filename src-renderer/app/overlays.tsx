import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { followChanges } from '../api/events.ts'
import { useCheckEnd } from '../api/mutations.ts'
import { redoLatest, undoLatest } from '../api/undo.ts'
import { addressIn, areDraggedPictures, picturesIn, readClip } from '../features/bookmarks/add/detect.ts'
import { DropTarget, saveDropped } from '../features/bookmarks/add/drop.tsx'
import { host } from '../lib/host.ts'
import { holdTyping, useGoKeys, useShortcut } from '../lib/keyboard.ts'
import { openBookmark } from '../lib/opened.ts'
import { whenIdle } from '../lib/waiting.ts'
import { closeDialog, openDialog, startAdding, startImporting, useDialog } from '../shared/dialogs.ts'
import { late } from '../ui/late.tsx'

const AddDialog = late(() => import('../features/bookmarks/add/add-dialog.tsx').then((file) => file.AddDialog))
const ImportDialog = late(() => import('../features/import/import-dialog.tsx').then((file) => file.ImportDialog))
const RuleDialog = late(() => import('../features/bookmarks/rules/rule-dialog.tsx').then((file) => file.RuleDialog))
const Palette = late(() => import('./palette/palette.tsx').then((file) => file.Palette))
const ShortcutSheet = late(() => import('./shortcut-sheet.tsx').then((file) => file.ShortcutSheet))

/** Pages that can show a bookmark's panel. */
const WITH_PANEL = ['/', '/links', '/images', '/colors', '/texts', '/trash']

/**
 * Dialogs that can open over any page, and the keys that open them. They are loaded once the page has nothing else to
 * do.
 */
export function Overlays() {
  const [path] = useLocation()
  const adding = useDialog('add')
  const importing = useDialog('import')
  const rule = useDialog('rule')
  const [palette, setPalette] = useState(false)
  const sheet = useDialog('shortcuts')
  const showsAdding = useStays(adding !== undefined)
  const showsImporting = useStays(importing !== undefined)
  const showsRule = useStays(rule !== undefined)
  useEffect(followChanges, [])
  useCheckEnd()
  useFileDrop(importing !== undefined)
  useEarly()
  useGoKeys()
  useShortcut('n', () => {
    holdTyping()
    startAdding()
  })
  useShortcut('?', showShortcuts)
  useShortcut('Mod+k', () => {
    if (!palette) holdTyping()
    setPalette(true)
  })
  useShortcut('Mod+z', () => void undoLatest())
  useShortcut('Mod+Shift+z', () => void redoLatest())
  useShortcut('Mod+y', () => void redoLatest())

  function open(id: string) {
    openBookmark(id, { on: WITH_PANEL.includes(path) ? undefined : '/' })
  }
  const openAsked = useEffectEvent(open)
  usePaste(open)
  useEffect(() => host?.onOpenBookmark((id) => openAsked(id)), [])

  return (
    <>
      <DropTarget onOpen={open} />
      <Suspense>
        {showsAdding && <AddDialog onOpen={open} />}
        {showsImporting && <ImportDialog />}
        {showsRule && <RuleDialog />}
        {palette && <Palette onClose={() => setPalette(false)} onOpen={open} onShortcuts={showShortcuts} />}
        {sheet && <ShortcutSheet onClose={() => closeDialog('shortcuts')} />}
      </Suspense>
    </>
  )
}

/** Whether a dialog was opened before. It stays, so that it can close as it opened. */
function useStays(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return isOpen || wasOpen
}

const showShortcuts = () => openDialog({ kind: 'shortcuts' })

/** Loads the dialogs early, so that text typed right after the key that opens one goes into its field. */
function useEarly(): void {
  useEffect(() => whenIdle(AddDialog.load, Palette.load, ImportDialog.load, ShortcutSheet.load), [])
}

/** Pasting into no field means to save what is pasted: an address at once, anything else once one has looked at it. */
function usePaste(onOpen: (id: string) => void): void {
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
function useFileDrop(importing: boolean): void {
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
