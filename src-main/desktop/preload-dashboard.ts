/** Runs before the dashboard's page, in an isolated world. */
import { contextBridge, ipcRenderer } from 'electron'
import type { DashboardBridge } from '../contract/desktop.ts'
import { ASK, TELL } from './channels.ts'

const bridge: DashboardBridge = {
  copyText: (text) => ipcRenderer.invoke(ASK.copyText, text),
  readSettings: () => ipcRenderer.invoke(ASK.readSettings),
  changeSettings: (change) => ipcRenderer.invoke(ASK.changeSettings, change),
  onOpenBookmark: (listener) => {
    ipcRenderer.on(TELL.showBookmark, (_event, id: string) => listener(id))
  }
}

contextBridge.exposeInMainWorld('earmarkDesktop', bridge)
