import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import { z } from 'zod'
import { LIMITS } from '../contract/bookmark.ts'
import { CaptureView, type CopiedPicture, DesktopChange, type DesktopSettings } from '../contract/desktop.ts'
import { ASK } from './channels.ts'

/** Calls that windows may make to main, each from the one window that uses it. */
export interface Calls {
  origin: string
  dashboard(): BrowserWindow | undefined
  capture(): BrowserWindow | undefined
  copyText(text: string): Promise<void>
  readSettings(): DesktopSettings
  changeSettings(change: DesktopChange): DesktopSettings
  closeCapture(): void
  setCaptureView(view: CaptureView): void
  openPage(url: string): void
  openBookmark(id: string): void
  readPicture(): Promise<CopiedPicture | null>
}

/** Longest text that is copied, in UTF-16 code units: that of a text bookmark. */
const MOST_TEXT = 100_000

/** Answers the windows' calls. A call from any other sender, or of any other shape, is refused. */
export function answerCalls(calls: Calls): void {
  const { origin, dashboard, capture } = calls

  function answer<A extends unknown[]>(
    channel: string,
    from: () => BrowserWindow | undefined,
    args: z.ZodType<A>,
    work: (...args: A) => unknown
  ): void {
    ipcMain.handle(channel, (event, ...given: unknown[]) => {
      if (!comesFrom(event, from(), origin)) throw new Error(`${channel}: not for this sender`)
      const read = args.safeParse(given)
      if (!read.success) throw new Error(`${channel}: not these arguments`)
      return work(...read.data)
    })
  }

  answer(ASK.copyText, dashboard, z.tuple([z.string().max(MOST_TEXT)]), (text) => calls.copyText(text))
  answer(ASK.readSettings, dashboard, z.tuple([]), () => calls.readSettings())
  answer(ASK.changeSettings, dashboard, z.tuple([DesktopChange]), (change) => calls.changeSettings(change))
  answer(ASK.closeCapture, capture, z.tuple([]), () => calls.closeCapture())
  answer(ASK.setCaptureView, capture, z.tuple([CaptureView]), (view) => calls.setCaptureView(view))
  answer(ASK.openPage, capture, z.tuple([z.string().max(LIMITS.url)]), (url) => calls.openPage(url))
  answer(ASK.copyFound, capture, z.tuple([z.string().max(MOST_TEXT)]), (text) => calls.copyText(text))
  answer(ASK.openBookmark, capture, z.tuple([z.string().min(1).max(64)]), (id) => calls.openBookmark(id))
  answer(ASK.readPicture, capture, z.tuple([]), () => calls.readPicture())
}

/** Whether a call is of our page in this window, and not of a frame in it or of a page it was led to. */
function comesFrom({ sender, senderFrame }: IpcMainInvokeEvent, window: BrowserWindow | undefined, origin: string) {
  return (
    window !== undefined &&
    sender === window.webContents &&
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    senderFrame.origin === origin
  )
}
