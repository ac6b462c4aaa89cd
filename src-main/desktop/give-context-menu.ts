import { type BrowserWindow, clipboard, Menu } from 'electron'
import { contextMenu } from './context-menu.ts'
import { openOutside } from './outside.ts'

/** Gives a window's page the menu of a right click. */
export function giveContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, {
      openLink: openOutside,
      copyText: (text) => void clipboard.writeText(text).catch(() => {})
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
