/** Runs before the capture window's page, in an isolated world. */
import { contextBridge, ipcRenderer } from 'electron'
import type { CaptureBridge, CaptureStart } from '../contract/desktop.ts'
import { ASK, TELL } from './channels.ts'

// The window may open before its page has registered a listener.
let begun: CaptureStart | undefined
let listener: ((start: CaptureStart) => void) | undefined

ipcRenderer.on(TELL.beginCapture, (_event, start: CaptureStart) => {
  begun = start
  listener?.(start)
})

const bridge: CaptureBridge = {
  onBegin(added) {
    listener = added
    if (begun !== undefined) added(begun)
  },
  close: () => void ipcRenderer.invoke(ASK.closeCapture),
  setView: (view) => void ipcRenderer.invoke(ASK.setCaptureView, view),
  openPage: (url) => void ipcRenderer.invoke(ASK.openPage, url),
  copyText: (text) => ipcRenderer.invoke(ASK.copyFound, text),
  openBookmark: (id) => void ipcRenderer.invoke(ASK.openBookmark, id),
  readPicture: () => ipcRenderer.invoke(ASK.readPicture)
}

contextBridge.exposeInMainWorld('earmarkCapture', bridge)
