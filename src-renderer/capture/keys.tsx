import type { CaptureBridge } from '../../src-main/contract/desktop.ts'
import { captureHost } from '../lib/host.ts'

/** The modifier key of shortcuts. */
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

/** Functions of the capture window. In a browser, similar ones: the page works there too, and closes its tab. */
export const host: CaptureBridge = captureHost ?? {
  onBegin: (listener) => listener({ kind: 'copied', clip: null }),
  close: () => window.close(),
  setView: () => {},
  openPage: (url) => window.open(url, '_blank', 'noopener'),
  copyText: (text) => navigator.clipboard.writeText(text),
  readPicture: async () => null,
  openBookmark: () => window.open('/', '_blank', 'noopener')
}
