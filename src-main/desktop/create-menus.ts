import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { DesktopChange, DesktopSettings } from '../contract/desktop.ts'
import type { DashboardWindow } from './dashboard-window.ts'
import { tellRefused } from './dialogs.ts'
import { applicationMenu, type MenuAct, trayMenu } from './menus.ts'
import type { createSettings } from './settings.ts'

interface MenuParts {
  dashboard: DashboardWindow
  tray: ReturnType<typeof createTray>
  settings: ReturnType<typeof createSettings>
  openCapture(): void
  openFind(): void
  quit(): void
}

/**
 * The application's menu and the tray's.
 *
 * @returns shows both as the settings now are
 */
export function createMenus(parts: MenuParts): (now: DesktopSettings) => void {
  const { dashboard, tray, settings, openCapture, openFind, quit } = parts

  function show(now: DesktopSettings): void {
    const facts = { platform: process.platform, ...now }
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(facts, act)))
    tray.set(now.tray ? trayMenu(facts, act) : undefined)
  }

  function act(wanted: MenuAct): void {
    if (wanted === 'show') dashboard.show()
    if (wanted === 'capture') openCapture()
    if (wanted === 'find') openFind()
    if (wanted === 'quit') quit()
    if (wanted === 'back' || wanted === 'forward') dashboard.go(wanted)
    if (wanted === 'toggle-login') change({ launchAtLogin: !settings.read().launchAtLogin })
    if (wanted === 'toggle-tray') change({ tray: !settings.read().tray })
  }

  /** From a menu, whose item shows the choice already. */
  function change(wanted: DesktopChange): void {
    try {
      settings.change(wanted)
    } catch {
      show(settings.read())
      void tellRefused()
    }
  }

  return show
}

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
