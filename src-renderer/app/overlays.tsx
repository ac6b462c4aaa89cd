import { Fragment, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { followChanges } from '../api/events.ts'
import { useCheckEnd, useUpdateNotice } from '../api/mutations.ts'
import { redoLatest, undoLatest } from '../api/undo.ts'
import { DropTarget, usePaste } from '../features/bookmarks/add/drop.tsx'
import { host } from '../lib/host.ts'
import { bufferTyping, useGoKeys, useShortcut } from '../lib/keyboard.ts'
import { openBookmark } from '../lib/opened.ts'
import { useStore } from '../lib/store.ts'
import { whenIdle } from '../lib/waiting.ts'
import { closeDialog, openDialog, openedDialog, startAdding } from '../shared/dialogs.ts'
import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'

const AddDialog = lazyWithPreload(() =>
  import('../features/bookmarks/add/add-dialog.tsx').then((file) => file.AddDialog)
)
const ImportDialog = lazyWithPreload(() =>
  import('../features/import/import-dialog.tsx').then((file) => file.ImportDialog)
)
const NameForm = lazyWithPreload(() => import('./ask.tsx').then((file) => file.NameForm))
const Palette = lazyWithPreload(() => import('./palette/palette.tsx').then((file) => file.Palette))
const Question = lazyWithPreload(() => import('./ask.tsx').then((file) => file.Question))
const RuleDialog = lazyWithPreload(() =>
  import('../features/bookmarks/rules/rule-dialog.tsx').then((file) => file.RuleDialog)
)
const ShortcutSheet = lazyWithPreload(() => import('./shortcut-sheet.tsx').then((file) => file.ShortcutSheet))

/** Pages that can show a bookmark's panel. */
const WITH_PANEL = ['/', '/links', '/images', '/colors', '/texts', '/trash']

/** Dialogs that can open over any page, and the keys that open them. They are loaded once the page is idle. */
export function Overlays() {
  const [path] = useLocation()
  const [palette, setPalette] = useState(false)
  useEffect(followChanges, [])
  useCheckEnd()
  useUpdateNotice()
  usePreloadedDialogs()
  useGoKeys()
  useShortcut('add', () => {
    bufferTyping()
    startAdding()
  })
  useShortcut('help', showShortcuts)
  useShortcut('find', () => {
    if (!palette) bufferTyping()
    setPalette(true)
  })
  useShortcut('undo', undoLatest)
  useShortcut('redo', redoLatest)

  function open(id: string) {
    openBookmark(id, { on: WITH_PANEL.includes(path) ? undefined : '/' })
  }
  const onOpenBookmark = useEffectEvent(open)
  usePaste(open)
  useEffect(() => host?.onOpenBookmark((id) => onOpenBookmark(id)), [])

  return (
    <>
      <DropTarget onOpen={open} />
      <Suspense>
        <Dialogs onOpen={open} />
        {palette && <Palette onClose={() => setPalette(false)} onOpen={open} />}
      </Suspense>
    </>
  )
}

/** The open dialog, or the last one while it closes. */
function Dialogs({ onOpen }: { onOpen: (id: string) => void }) {
  const opened = useStore(openedDialog)
  const [{ dialog, key }, setLast] = useState({ dialog: opened, key: 0 })
  if (opened && opened !== dialog) setLast({ dialog: opened, key: key + 1 })
  const state = { opened: opened !== undefined, onClose: () => closeDialog(dialog) }
  switch (dialog?.kind) {
    case 'add':
      return <AddDialog key={key} {...state} initial={dialog} onOpen={onOpen} />
    case 'import':
      // Another file goes to the same import, which refuses it while it is busy.
      return <ImportDialog key="import" {...state} file={dialog.file} />
    case 'rule':
      return <RuleDialog key={key} {...state} start={dialog} />
    case 'shortcuts':
      return <ShortcutSheet key={key} {...state} />
    case 'question':
      return <Question key={key} {...state} dialog={dialog} />
    case 'name':
      return <NameForm key={key} {...state} dialog={dialog} />
    case 'page':
      return <Fragment key={key}>{dialog.render(state)}</Fragment>
    default:
      return null
  }
}

const showShortcuts = () => openDialog({ kind: 'shortcuts' })

/** Loads the dialogs before they open, so that keys typed right after a shortcut go into their fields. */
function usePreloadedDialogs(): void {
  useEffect(() => whenIdle(AddDialog.load, Palette.load, Question.load, ImportDialog.load, ShortcutSheet.load), [])
}
