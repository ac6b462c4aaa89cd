import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { autostartEntry } from './autostart-entry.ts'

/** Whether Earmark starts when its owner logs in; hidden then. */
export interface LoginItem {
  read(): boolean
  set(on: boolean): void
}

const HIDDEN = ['--hidden']

/** The system's own list, and on Linux, where Electron knows none, a file in the autostart folder. */
export function openLoginItem(): LoginItem {
  if (process.platform === 'linux') return autostartFile()
  return {
    read: () => app.getLoginItemSettings({ args: HIDDEN }).openAtLogin,
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, args: HIDDEN })
  }
}

function autostartFile(): LoginItem {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  const file = join(folder, 'autostart/app.earmark.Earmark.desktop')
  return {
    read: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, autostartEntry([...program(), ...HIDDEN]))
    }
  }
}

/** An AppImage runs from a place that is gone with it; its own file is named in the environment. */
function program(): string[] {
  if (process.env.APPIMAGE) return [process.env.APPIMAGE]
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()]
}
