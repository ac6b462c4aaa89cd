/** Runs before the capture window's page, in a world of its own. */
import { contextBridge, ipcRenderer } from 'electron'
import type { CaptureBridge, Clip } from '../contract/desktop.ts'
import { ASK, TELL } from './channels.ts'

// The window may open before its page listens.
let begun: Clip | null | undefined
let listener: ((clip: Clip | null) => void) | undefined

ipcRenderer.on(TELL.beginCapture, (_event, clip: Clip | null) => {
  begun = clip
  listener?.(clip)
})

const bridge: CaptureBridge = {
  tabToken: () => ipcRenderer.invoke(ASK.captureToken),
  onBegin(added) {
    listener = added
    if (begun !== undefined) added(begun)
  },
  close: () => void ipcRenderer.invoke(ASK.closeCapture),
  openBookmark: (id) => void ipcRenderer.invoke(ASK.openBookmark, id),
  readPicture: () => ipcRenderer.invoke(ASK.readPicture)
}

contextBridge.exposeInMainWorld('earmarkCapture', bridge)
