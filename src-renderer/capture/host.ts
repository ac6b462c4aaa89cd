import type { CaptureBridge } from '../../src-main/contract/desktop.ts'

declare global {
  /** Offered by the desktop's preload; not there in a browser. */
  var earmarkCapture: CaptureBridge | undefined
}

/** The window around this page. In a browser there is none: the page works, and closes with its tab. */
export const host: CaptureBridge = globalThis.earmarkCapture ?? {
  onBegin: (listener) => listener(null),
  close: () => window.close(),
  readPicture: async () => null,
  openBookmark: () => window.open('/', '_blank', 'noopener')
}
