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
  /** What starts at login on macOS and Windows. */
  loginItem: string | null
  /** Whether the dock shows the app, on macOS. */
  dock: boolean
  /** Dictionaries that Chromium set out to fetch, by their address. */
  dictionaries: string[]
  /** Of windows that were shown before they had anything to show: how many milliseconds after they were made. */
  blank: number[]
  /** The menu that a right click opened last. */
  contextMenu: E.Menu | null
  /** What the next message boxes that hold everything up are answered with; they press their first button otherwise. */
  answers: string[]
  /** What another program puts on the clipboard, which need not be what its type says. On the stand-in only. */
  copiedElsewhere: Record<string, string> | null
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
  loginItem: null,
  dock: true,
  dictionaries: [],
  blank: [],
  contextMenu: null,
  answers: [],
  copiedElsewhere: null
}

Object.assign(globalThis, { recorded })
