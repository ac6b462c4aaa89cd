import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { followChanges } from '../api/events.ts'
import { useCheckEnd } from '../api/mutations.ts'
import { redoLatest, undoLatest } from '../api/undo.ts'
import { DropTarget, useFileDrop, usePaste } from '../features/bookmarks/add/drop.tsx'
import { host } from '../lib/host.ts'
import { holdTyping, useGoKeys, useShortcut } from '../lib/keyboard.ts'
import { openBookmark } from '../lib/opened.ts'
import { whenIdle } from '../lib/waiting.ts'
import { closeDialog, openDialog, startAdding, useDialog } from '../shared/dialogs.ts'
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
