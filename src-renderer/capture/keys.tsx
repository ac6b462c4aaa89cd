import type { CaptureBridge } from '../../src-main/contract/desktop.ts'
import { captureHost } from '../lib/host.ts'
/** The key that commands are given with. */
export const COMMAND = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** The keys of the window, with their effects. */
export function Keys({ keys }: { keys: string[][] }) {
  return (
    <p className="said keys">
      {keys.map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}{' '}
        </span>
      ))}
    </p>
  )
}

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
