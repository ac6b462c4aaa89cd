import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { startCommand } from '../host/own-program.ts'
import { autostartEntry } from './desktop-entry.ts'

/** Whether Earmark starts when its owner logs in; hidden then. */
export interface LoginItem {
  read(): boolean
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
  // Windows joins them with spaces as they are; macOS passes none on.
  const item = { path: file, args: args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)) }
  return {
    read: () => app.getLoginItemSettings(item).openAtLogin,
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, ...item })
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
