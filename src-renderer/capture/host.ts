import type { CaptureBridge } from '../../src-main/contract/desktop.ts'
import { captureHost } from '../shared/host.ts'

/** The window around this page. In a browser there is none: the page works, and closes with its tab. */
export const host: CaptureBridge = captureHost ?? {
  onBegin: (listener) => listener({ kind: 'copied', clip: null }),
  close: () => window.close(),
  setView: () => {},
  openPage: (url) => window.open(url, '_blank', 'noopener'),
  copyText: (text) => navigator.clipboard.writeText(text),
  readPicture: async () => null,
  openBookmark: () => window.open('/', '_blank', 'noopener')
}
