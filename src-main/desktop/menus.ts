import type { MenuItemConstructorOptions } from 'electron'

/** The actions of the menus. */
export type MenuAct = 'show' | 'capture' | 'find' | 'quit' | 'toggle-login' | 'toggle-tray' | 'back' | 'forward'

export interface MenuFacts {
  platform: NodeJS.Platform
  /** The accelerator that opens capture everywhere; `null` for none. */
  shortcut: string | null
  shortcutRefused: boolean
  /** The same for quick find. */
  findShortcut: string | null
  findShortcutRefused: boolean
  /** `null` where it cannot be chosen. */
  launchAtLogin: boolean | null
  tray: boolean
}

type Item = MenuItemConstructorOptions

const SEPARATOR: Item = { type: 'separator' }

/** The tray's menu, the same everywhere: on Linux it is all a tray has. */
export function trayMenu(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const login = launchAtLogin(facts, act)
  return [
    item('show', 'Open Earmark', act),
    ...quickItems(facts, act),
    SEPARATOR,
    ...login,
    ...(login.length > 0 ? [SEPARATOR] : []),
    item('quit', 'Quit Earmark', act)
  ]
}

/** The application's menu: at the top of the screen on macOS, behind Alt elsewhere. */
export function applicationMenu(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const own = [...quickItems(facts, act), SEPARATOR, ...launchAtLogin(facts, act), keepInTray(facts, act)]
  const mac = facts.platform === 'darwin'
  const view: Item = {
    label: '&View',
    submenu: [
      item('back', 'Back', act, mac ? 'Command+[' : 'Alt+Left'),
      item('forward', 'Forward', act, mac ? 'Command+]' : 'Alt+Right'),
      { role: 'reload' },
      SEPARATOR,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      SEPARATOR,
      { role: 'togglefullscreen' }
    ]
  }
  // Without the roles of Edit, copy and paste have no keys on macOS.
  if (mac) {
    const hiding: Item[] = [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, SEPARATOR]
    const about: Item[] = [{ role: 'about' }, SEPARATOR]
    const first: Item = {
      label: 'Earmark',
      submenu: [...about, ...own, SEPARATOR, ...hiding, item('quit', 'Quit Earmark', act, 'Command+Q')]
    }
    // Its close gives Command-W to whichever window has the focus.
    return [first, { role: 'fileMenu' }, { role: 'editMenu' }, view, { role: 'windowMenu' }]
  }
  const file: Item = {
    label: '&File',
    submenu: [...own, SEPARATOR, { role: 'close' }, item('quit', 'Quit Earmark', act, 'Control+Q')]
  }
  return [file, { role: 'editMenu' }, view]
}

function item(id: MenuAct, label: string, act: (act: MenuAct) => void, accelerator?: string): Item {
  return { id, label, click: () => act(id), accelerator }
}

/** Quick capture and quick find, each with its keys, or what kept them from it. */
function quickItems(facts: MenuFacts, act: (act: MenuAct) => void): Item[] {
  const { shortcut, shortcutRefused, findShortcut, findShortcutRefused } = facts
  return [
    { ...item('capture', 'Quick Capture …', act), ...keys(shortcut, shortcutRefused) },
    ...refusal('refused', shortcut, shortcutRefused),
    { ...item('find', 'Quick Find …', act), ...keys(findShortcut, findShortcutRefused) },
    ...refusal('find-refused', findShortcut, findShortcutRefused)
  ]
}

/** Shown only: the system already calls us for them, and a second call would open the window twice. */
function keys(shortcut: string | null, refused: boolean): Item {
  return shortcut !== null && !refused ? { accelerator: shortcut, registerAccelerator: false } : {}
}

function refusal(id: string, shortcut: string | null, refused: boolean): Item[] {
  return shortcut && refused ? [{ id, label: `${shortcut} is not available here`, enabled: false }] : []
}

function launchAtLogin({ launchAtLogin }: MenuFacts, act: (act: MenuAct) => void): Item[] {
  if (launchAtLogin === null) return []
  return [{ ...item('toggle-login', 'Start at Login', act), type: 'checkbox', checked: launchAtLogin }]
}

function keepInTray(facts: MenuFacts, act: (act: MenuAct) => void): Item {
  const label = facts.platform === 'darwin' ? 'Show in Menu Bar' : 'Keep in Tray'
  return { ...item('toggle-tray', label, act), type: 'checkbox', checked: facts.tray }
}
