import type * as E from 'electron'

/** What the app did outside its pages, for a test to look at and to trigger. On real Electron recorder.cjs keeps the same. */
export interface Recorded {
  trayMenu: E.Menu | null
  tray: { click(): void } | null
  applicationMenu: E.Menu | null
  /** Addresses given to the system's browser, and folders to its file manager. */
  opened: string[]
  shortcuts: Map<string, () => void>
  /** Accelerators that another program has. */
  takenShortcuts: Set<string>
  dialogs: Dialog[]
  protocols: string[]
  /** The app gave the focus back to the app that had it. */
  hidden: number
}

/** A message box on the screen; a test presses one of its buttons. */
interface Dialog {
  message: string
  detail: string
  buttons: string[]
  press?: (label: string) => void
}

export const recorded: Recorded = {
  trayMenu: null,
  tray: null,
  applicationMenu: null,
  opened: [],
  shortcuts: new Map(),
  takenShortcuts: new Set((process.env.STAND_IN_TAKEN_SHORTCUTS ?? '').split(' ').filter(Boolean)),
  dialogs: [],
  protocols: [],
  hidden: 0
}

Object.assign(globalThis, { recorded })
