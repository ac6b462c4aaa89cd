/** Runs before the dashboard's page, in a world of its own. */
import { contextBridge, ipcRenderer } from 'electron'
import type { DashboardBridge } from '../contract/desktop.ts'
import { ASK, TELL } from './channels.ts'

/** Where the dashboard looks for the token that proves its tab: src-renderer/app/tab-token.ts. */
const TAB_TOKEN = 'earmark-tab'

const bridge: DashboardBridge = {
  copyText: (text) => ipcRenderer.invoke(ASK.copyText, text),
  readSettings: () => ipcRenderer.invoke(ASK.readSettings),
  changeSettings: (change) => ipcRenderer.invoke(ASK.changeSettings, change),
  onOpenBookmark: (listener) => {
    ipcRenderer.on(TELL.showBookmark, (_event, id: string) => listener(id))
  }
}

function keepTabToken(token: string): void {
  sessionStorage.setItem(TAB_TOKEN, token)
}

contextBridge.exposeInMainWorld('earmarkDesktop', bridge)
void ipcRenderer.invoke(ASK.tabToken).then(keepTabToken)
ipcRenderer.on(TELL.tabToken, (_event, token: string) => keepTabToken(token))
