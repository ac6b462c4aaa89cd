/**
 * A stand-in for the `electron` module under plain Node. Every BrowserWindow is a page of the machine's Chromium that
 * runs the real preload; tray, menus, shortcuts, clipboard, dialogs and shell only record, and can be triggered.
 */
import './pretend.ts'
import { pathToFileURL } from 'node:url'
import { app, becomeReady } from './app.ts'
import {
  allowProcesses,
  ClipboardItem,
  clipboard,
  dialog,
  globalShortcut,
  nativeImage,
  nativeTheme,
  screen,
  shell,
  utilityProcess
} from './desktop-parts.ts'
import { ipcMain } from './ipc.ts'
import { Menu, Tray } from './menu.ts'
import { requireDisplay } from './pretend.ts'
import { session } from './session.ts'
import { allowWindows, BrowserWindow } from './window.ts'

const electron = {
  app,
  BrowserWindow,
  ClipboardItem,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  screen,
  session,
  shell,
  Tray,
  utilityProcess
}

export {
  app,
  BrowserWindow,
  ClipboardItem,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  screen,
  session,
  shell,
  Tray,
  utilityProcess
}

/** Runs a test's function here, as Playwright's ElectronApplication.evaluate does. */
process.on('message', async ({ id, source, arg }: { id: number; source: string; arg: unknown }) => {
  try {
    const value = await new Function(`return (${source})`)()(electron, arg)
    process.send?.({ id, value })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
})
// A test that ended does not wait for its answers.
process.on('error', () => {})
process.on('disconnect', () => app.exit(1))
// Electron turns these into quitting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())

// Ready once the entry module has run: one that awaited that at its top would hang here as it does in Electron.
const entry = pathToFileURL(process.argv[1] ?? '').href
setImmediate(async () => {
  await import(entry)
  requireDisplay()
  allowWindows()
  allowProcesses()
  becomeReady()
})
