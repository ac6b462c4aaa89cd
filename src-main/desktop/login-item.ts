import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { startCommand } from '../host/own-program.ts'
import { autostartEntry } from './desktop-entry.ts'

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
