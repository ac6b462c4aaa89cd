import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'

/** The icon that stays while no window is open. */
export interface TrayIcon {
  /** Shows it with this menu, or takes it away. */
  set(menu: MenuItemConstructorOptions[] | undefined): void
}

const FILES: Partial<Record<NodeJS.Platform, string>> = { darwin: 'trayTemplate.png', win32: 'tray.ico' }

export function createTray(onOpen: () => void): TrayIcon {
  let tray: Tray | undefined

  function create(): Tray {
    const file = join(import.meta.dirname, '../../resources', FILES[process.platform] ?? 'tray.png')
    const created = new Tray(nativeImage.createFromPath(file))
    created.setToolTip('Earmark')
    // On macOS a click opens the menu; on Linux it may never arrive.
    if (process.platform !== 'darwin') created.on('click', onOpen)
    return created
  }

  return {
    set(menu) {
      if (!menu) {
        tray?.destroy()
        tray = undefined
        return
      }
      tray ??= create()
      // Linux shows a changed menu only when it is set again.
      tray.setContextMenu(Menu.buildFromTemplate(menu))
    }
  }
}
