/** Runs before the capture window's page, in an isolated world. */
import { contextBridge, ipcRenderer } from 'electron'
import type { CaptureBridge, CaptureStart } from '../contract/desktop.ts'
import { CALLS, MESSAGES } from './channels.ts'

// The window may open before its page has registered a listener.
let lastStart: CaptureStart | undefined
let listener: ((start: CaptureStart) => void) | undefined

ipcRenderer.on(MESSAGES.beginCapture, (_event, start: CaptureStart) => {
  lastStart = start
  listener?.(start)
})

const bridge: CaptureBridge = {
  onBegin(newListener) {
    listener = newListener
    if (lastStart !== undefined) newListener(lastStart)
  },
  close: () => void ipcRenderer.invoke(CALLS.closeCapture),
  setView: (view) => void ipcRenderer.invoke(CALLS.setCaptureView, view),
  openPage: (url) => void ipcRenderer.invoke(CALLS.openPage, url),
  copyText: (text) => ipcRenderer.invoke(CALLS.copyResult, text),
  openBookmark: (id) => void ipcRenderer.invoke(CALLS.openBookmark, id),
  readPicture: () => ipcRenderer.invoke(CALLS.readPicture)
}

contextBridge.exposeInMainWorld('earmarkCapture', bridge)
