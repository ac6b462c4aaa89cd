import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'

/** Facts about the place that was clicked. */
export type Clicked = Pick<ContextMenuParams, 'linkURL' | 'isEditable' | 'selectionText' | 'editFlags'>

export interface ContextActs {
  openLink(address: string): void
  copyText(text: string): void
}

type Item = MenuItemConstructorOptions

/** The menu of a right click; empty where there is nothing to do. Chromium has none of its own in Electron. */
export function contextMenu({ linkURL, isEditable, selectionText, editFlags }: Clicked, acts: ContextActs): Item[] {
  const link: Item[] = [
    { id: 'open-link', label: 'Open Link', click: () => acts.openLink(linkURL) },
    { id: 'copy-link', label: 'Copy Link', click: () => acts.copyText(linkURL) }
  ]
  const editing: Item[] = [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll }
  ]
  const reading: Item[] = [{ role: 'copy', enabled: editFlags.canCopy }]
  if (isEditable) return editing
  const groups = [isWeb(linkURL) ? link : [], selectionText.trim() === '' ? [] : reading].filter(
    ({ length }) => length > 0
  )
  return groups.flatMap((group, index): Item[] => (index === 0 ? group : [{ type: 'separator' }, ...group]))
}

function isWeb(address: string): boolean {
  return /^https?:/.test(address)
}
