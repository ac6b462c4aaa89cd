import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { ownAppImage, startCommand } from '../host/own-program.ts'

/** Whether Earmark starts hidden when its owner logs in. */
export interface LoginItem {
  /** Returns `null` if the system cannot start this program. */
  read(): boolean | null
  /** @throws if the system refuses the change */
  set(on: boolean): void
}

/**
 * Opens the system's list of login items; on Linux, which Electron does not support, a file in the autostart folder.
 *
 * @param data the data folder if it is not the default
 */
export function openLoginItem(data: string | undefined): LoginItem {
  const [file = '', ...rest] = startCommand(app)
  const args = [...rest, '--hidden', ...(data === undefined ? [] : ['--data', data])]
  if (process.platform === 'linux') return autostartFile([file, ...args])
  // macOS registers the running bundle without arguments. In a checkout that bundle is Electron itself
  // (browser_mac.mm).
  if (process.platform === 'darwin' && !app.isPackaged) return { read: () => null, set() {} }
  // Electron quotes each argument (FormatCommandLineString in browser_win.cc).
  const item = { path: file, args }
  const read = () => app.getLoginItemSettings(item).openAtLogin
  return {
    read,
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, ...item })
      // macOS may refuse an unsigned program, and Electron only logs that (platform_util_mac.mm).
      if (read() !== on) throw new Error('The system did not take the login item.')
    }
  }
}

function autostartFile(command: string[]): LoginItem {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  const file = join(folder, 'autostart/app.earmark.Earmark.desktop')
  return {
    read: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, autostartEntry(command))
    }
  }
}

/** Whether this Linux desktop has Earmark in its applications menu and opens `earmark://` links with it. */
export interface MenuItem {
  /** Returns `null` if an installer is responsible. */
  read(): boolean | null
  set(on: boolean): void
}

const NAME = 'app.earmark.Earmark'

/** Time in ms in which GIO's file monitor notices a new file. */
const MONITOR_MS = 1000

/**
 * Opens the desktop entry and the icon, which a package installs, but an AppImage or a checkout does not. Without them
 * no `earmark://` link arrives, and GNOME on Wayland refuses shortcuts. They are written again after the program was
 * moved.
 *
 * @param icon a picture of 512 by 512 pixels
 * @param data the data folder if it is not the default
 */
export function openMenuItem(icon: string, data: string | undefined): MenuItem {
  if (process.platform !== 'linux' || (app.isPackaged && !ownAppImage())) {
    return { read: () => null, set() {} }
  }
  const folder = process.env.XDG_DATA_HOME || join(homedir(), '.local/share')
  const file = join(folder, 'applications', `${NAME}.desktop`)
  const picture = join(folder, 'icons/hicolor/512x512/apps', `${NAME}.png`)
  const entry = menuEntry([...startCommand(app), ...(data === undefined ? [] : ['--data', data])], picture)
  const read = () => existsSync(file)

  function set(on: boolean): void {
    if (!on) {
      for (const path of [file, picture]) rmSync(path, { force: true })
      return
    }
    for (const path of [file, picture]) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(picture, readFileSync(icon))
    writeFileSync(file, entry)
    // GIO must have noticed the file (SetDefaultWebClient in browser_linux.cc).
    if (app.setAsDefaultProtocolClient('earmark')) return
    setTimeout(() => read() && app.setAsDefaultProtocolClient('earmark'), MONITOR_MS)
  }

  if (read() && readFileSync(file, 'utf8') !== entry) set(true)
  return { read, set }
}

/** Returns the autostart file of a program (Desktop Application Autostart Specification, freedesktop.org). */
export function autostartEntry(command: string[]): string {
  return desktopEntry([`Exec=${command.map(quoted).join(' ')}`, 'X-GNOME-Autostart-enabled=true'])
}

/**
 * Returns the file that puts a program into the applications menu and makes it open `earmark://` links (Desktop Entry
 * Specification, freedesktop.org). The link is the last argument.
 */
export function menuEntry(command: string[], icon: string): string {
  return desktopEntry([
    `Exec=${command.map(quoted).join(' ')} %u`,
    `Icon=${icon}`,
    'Categories=Office;',
    'MimeType=x-scheme-handler/earmark;',
    'StartupWMClass=app.earmark.Earmark'
  ])
}

function desktopEntry(lines: string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Earmark',
    'Comment=Bookmarks for you and the agents in your editor',
    'Terminal=false',
    ...lines,
    ''
  ].join('\n')
}

/** Quotes an argument for the Exec key: the escapes of an argument, then those of a string, then `%` is doubled. */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}
