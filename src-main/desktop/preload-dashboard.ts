/** Runs before the dashboard's page, in an isolated world. */
import { contextBridge, ipcRenderer } from 'electron'
import type { DashboardBridge } from '../contract/desktop.ts'
import { CALLS, MESSAGES } from './channels.ts'

const bridge: DashboardBridge = {
  copyText: (text) => ipcRenderer.invoke(CALLS.copyText, text),
  readSettings: () => ipcRenderer.invoke(CALLS.readSettings),
  changeSettings: (change) => ipcRenderer.invoke(CALLS.changeSettings, change),
  onOpenBookmark: (listener) => {
    ipcRenderer.on(MESSAGES.showBookmark, (_event, id: string) => listener(id))
  }
}

contextBridge.exposeInMainWorld('earmarkDesktop', bridge)
