import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { DesktopChange, DesktopSettings } from '../contract/desktop.ts'
import type { DashboardWindow } from './dashboard-window.ts'
import { showRefused } from './dialogs.ts'
import type { MenuTexts } from './menu-texts.ts'
import type { Settings } from './settings.ts'

interface MenuParts {
  dashboard: DashboardWindow
  tray: TrayIcon
  settings: Settings
  texts: () => MenuTexts
  openCapture(): void
  openFind(): void
  quit(): void
}

/** Creates the application's menu and the tray's. @returns a function that updates both */
export function createMenus(parts: MenuParts): (settings: DesktopSettings) => void {
  const { dashboard, tray, settings, texts, openCapture, openFind, quit } = parts

  function show(current: DesktopSettings): void {
    const facts = { platform: process.platform, texts: texts(), ...current }
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(facts, act)))
    tray.set(current.tray ? trayMenu(facts, act) : undefined)
  }

  function act(action: MenuAct): void {
    if (action === 'show') dashboard.show()
    if (action === 'capture') openCapture()
    if (action === 'find') openFind()
    if (action === 'quit') quit()
    if (action === 'back' || action === 'forward') dashboard.go(action)
    if (action === 'toggle-login') change({ launchAtLogin: !settings.read().launchAtLogin })
    if (action === 'toggle-tray') change({ tray: !settings.read().tray })
  }

  /** Changes a setting. The menu's item already shows the choice, so it is reset if the system refuses the change. */
  function change(change: DesktopChange): void {
    try {
      settings.change(change)
    } catch {
      show(settings.read())
      void showRefused()
    }
  }

  return show
}

/** The tray icon, which stays while no window is open. */
interface TrayIcon {
  /** Shows the icon with this menu; `undefined` removes the icon. */
  set(menu: MenuItemConstructorOptions[] | undefined): void
}

const FILES: Partial<Record<NodeJS.Platform, string>> = { darwin: 'trayTemplate.png', win32: 'tray.ico' }

export function createTray(onOpen: () => void): TrayIcon {
  let tray: Tray | undefined

  function create(): Tray {
    const file = join(import.meta.dirname, '../../resources', FILES[process.platform] ?? 'tray.png')
    const created = new Tray(nativeImage.createFromPath(file))
    created.setToolTip('Earmark')
    // On macOS a click opens the menu; on Linux the event may never arrive.
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
      // Linux shows a change only after the menu is set again.
      tray.setContextMenu(Menu.buildFromTemplate(menu))
    }
  }
}

export type MenuAct = 'show' | 'capture' | 'find' | 'quit' | 'toggle-login' | 'toggle-tray' | 'back' | 'forward'

export interface MenuFacts extends Omit<DesktopSettings, 'inMenu' | 'shortcutByDesktop'> {
  texts: MenuTexts
  platform: NodeJS.Platform
}

type Item = MenuItemConstructorOptions

const SEPARATOR: Item = { type: 'separator' }

/** Returns the tray's menu. It is the same on every system, because on Linux a tray has only a menu. */
export function trayMenu(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const { texts } = facts
  const login = launchAtLogin(facts, act)
  return [
    item('show', texts.openEarmark, act),
    ...quickItems(facts, act),
    SEPARATOR,
    ...login,
    ...(login.length > 0 ? [SEPARATOR] : []),
    item('quit', texts.quit, act)
  ]
}

/** The application's menu: at the top of the screen on macOS, behind Alt elsewhere. */
export function applicationMenu(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const { texts } = facts
  const appItems = [...quickItems(facts, act), SEPARATOR, ...launchAtLogin(facts, act), keepInTray(facts, act)]
  const mac = facts.platform === 'darwin'
  const view: Item = {
    label: texts.view,
    submenu: [
      item('back', texts.back, act, mac ? 'Command+[' : 'Alt+Left'),
      item('forward', texts.forward, act, mac ? 'Command+]' : 'Alt+Right'),
      { role: 'reload', label: texts.reload },
      SEPARATOR,
      { role: 'resetZoom', label: texts.actualSize },
      { role: 'zoomIn', label: texts.zoomIn },
      { role: 'zoomOut', label: texts.zoomOut },
      SEPARATOR,
      { role: 'togglefullscreen', label: texts.fullScreen }
    ]
  }
  // On macOS, keys for copy and paste work only through the roles of the Edit menu.
  const edit: Item = {
    label: texts.edit,
    submenu: [
      { role: 'undo', label: texts.undo },
      { role: 'redo', label: texts.redo },
      SEPARATOR,
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'selectAll', label: texts.selectAll }
    ]
  }
  if (mac) {
    const hiding: Item[] = [
      { role: 'hide', label: texts.hide },
      { role: 'hideOthers', label: texts.hideOthers },
      { role: 'unhide', label: texts.showAll },
      SEPARATOR
    ]
    const about: Item[] = [{ role: 'about', label: texts.about }, SEPARATOR]
    const first: Item = {
      label: 'Earmark',
      submenu: [...about, ...appItems, SEPARATOR, ...hiding, item('quit', texts.quit, act, 'Command+Q')]
    }
    // The Close item of the File menu makes Command-W close the focused window.
    const file: Item = { label: texts.file, submenu: [{ role: 'close', label: texts.close }] }
    return [first, file, edit, view, { role: 'windowMenu', label: texts.window }]
  }
  const file: Item = {
    label: texts.file,
    submenu: [...appItems, SEPARATOR, { role: 'close', label: texts.close }, item('quit', texts.quit, act, 'Control+Q')]
  }
  return [file, edit, view]
}

function item(id: MenuAct, label: string, act: (act: MenuAct) => void, accelerator?: string): Item {
  return { id, label, click: () => act(id), accelerator }
}

/** Returns the items of quick capture and quick find, each with its keys, or with a note that the keys do not work. */
function quickItems(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const { texts, shortcut, shortcutRefused, findShortcut, findShortcutRefused } = facts
  return [
    { ...item('capture', texts.quickCapture, act), ...keys(shortcut, shortcutRefused) },
    ...refusal('refused', texts, shortcut, shortcutRefused),
    { ...item('find', texts.quickFind, act), ...keys(findShortcut, findShortcutRefused) },
    ...refusal('find-refused', texts, findShortcut, findShortcutRefused)
  ]
}

/**
 * Shows the keys without registering them, because the global shortcut already reports them, and a second report would
 * open the window twice.
 */
function keys(shortcut: string | null, refused: boolean): Item {
  return shortcut !== null && !refused ? { accelerator: shortcut, registerAccelerator: false } : {}
}

function refusal(id: string, texts: MenuTexts, shortcut: string | null, refused: boolean): Item[] {
  if (shortcut === null || !refused) return []
  return [{ id, label: texts.notAvailable.replace('{keys}', shortcut), enabled: false }]
}

function launchAtLogin({ texts, launchAtLogin }: MenuFacts, act: (act: MenuAct) => void): Item[] {
  if (launchAtLogin === null) return []
  return [{ ...item('toggle-login', texts.startAtLogin, act), type: 'checkbox', checked: launchAtLogin }]
}

function keepInTray(facts: MenuFacts, act: (act: MenuAct) => void): Item {
  const label = facts.platform === 'darwin' ? facts.texts.showInMenuBar : facts.texts.keepInTray
  return { ...item('toggle-tray', label, act), type: 'checkbox', checked: facts.tray }
}
