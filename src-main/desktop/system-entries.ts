import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { ownAppImage, startCommand } from '../host/own-program.ts'
import { autostartEntry, menuEntry } from './desktop-entry.ts'

/** Whether Earmark starts when its owner logs in; hidden then. */
export interface LoginItem {
  /** Returns `null` where the system cannot start this program. */
  read(): boolean | null
  /** @throws where the system does not take it */
  set(on: boolean): void
}

/**
 * Opens the system's own list of what starts at login, and on Linux, where Electron knows none, a file in the autostart
 * folder.
 *
 * @param data the data folder where it is not the usual one
 */
export function openLoginItem(data: string | undefined): LoginItem {
  const [file = '', ...rest] = startCommand(app)
  const args = [...rest, '--hidden', ...(data === undefined ? [] : ['--data', data])]
  if (process.platform === 'linux') return autostartFile([file, ...args])
  // macOS registers the bundle that runs, without arguments: of a checkout that is Electron itself (browser_mac.mm).
  if (process.platform === 'darwin' && !app.isPackaged) return { read: () => null, set() {} }
  // Electron quotes each of them (FormatCommandLineString in browser_win.cc).
  const item = { path: file, args }
  const read = () => app.getLoginItemSettings(item).openAtLogin
  return {
    read,
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, ...item })
      // macOS may refuse a program that is not signed, and tells only Electron's log (platform_util_mac.mm).
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

/** Whether the applications menu of this Linux desktop has Earmark, and links lead to it. */
export interface MenuItem {
  /** Returns `null` where an installer sees to it. */
  read(): boolean | null
  set(on: boolean): void
}

const NAME = 'app.earmark.Earmark'

/** How long GIO's monitor of files has, in milliseconds. */
const MONITOR_MS = 1000

/**
 * Opens the files that an installed package would bring along and an AppImage or a checkout does not: without them no
 * `earmark://` link arrives, and GNOME on Wayland gives no shortcut to a program that it does not know. They are written
 * anew where the program has moved.
 *
 * @param icon the file of a picture of 512 by 512 pixels
 * @param data the data folder where it is not the usual one
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
    // GIO must know the file (SetDefaultWebClient in browser_linux.cc), of which its monitor may hear only later.
    if (app.setAsDefaultProtocolClient('earmark')) return
    setTimeout(() => read() && app.setAsDefaultProtocolClient('earmark'), MONITOR_MS)
  }

  if (read() && readFileSync(file, 'utf8') !== entry) set(true)
  return { read, set }
}
