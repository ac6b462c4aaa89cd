import { z } from 'zod'
import { LIMITS } from './bookmark.ts'

/** What was copied, as the system hands it over; what that is to a person, the page decides that shows it. */
export interface Clip {
  text: string
  /** Beside a picture, what a browser says of it; empty otherwise. */
  html: string
  /** Whether it holds pixels. */
  picture: boolean
}

/** A copied picture's bytes, unless they are more than can be kept. */
export type CopiedPicture = Uint8Array<ArrayBuffer> | 'too-large'

/** What a person asked for by starting Earmark, perhaps while it runs already. */
export const LaunchRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['show', 'stay-hidden']) }),
  z.object({ kind: z.literal('capture'), url: z.string().max(LIMITS.url).exactOptional() })
])
export type LaunchRequest = z.infer<typeof LaunchRequest>

/** What only the desktop can do, as its settings show it. */
export interface DesktopSettings {
  /** Starts hidden when the owner logs in. */
  launchAtLogin: boolean
  /** Shows in the tray, and stays there when its window closes. */
  tray: boolean
  /** An accelerator as Electron writes it; `null` for none. */
  shortcut: string | null
  /** The system did not give us the shortcut, mostly because another program has it. */
  shortcutRefused: boolean
  /**
   * The desktop has the last word on the shortcut, and on where the capture window opens, and tells us neither: Wayland.
   * It may ask the owner about the keys, and lists them in settings of its own.
   */
  shortcutByDesktop: boolean
}

/** A change of some of them. */
export const DesktopChange = z.strictObject({
  launchAtLogin: z.boolean().exactOptional(),
  tray: z.boolean().exactOptional(),
  shortcut: z.string().min(1).max(60).nullable().exactOptional()
})
export type DesktopChange = z.infer<typeof DesktopChange>

/** What the dashboard's window can do beyond a browser. It is there as `earmarkDesktop`, in the desktop app only. */
export interface DashboardBridge {
  /** What proves that the window is the owner's; each call to the service carries it. */
  tabToken(): Promise<string>
  /** Pages may not use the clipboard by themselves there. */
  copyText(text: string): Promise<void>
  readSettings(): Promise<DesktopSettings>
  changeSettings(change: DesktopChange): Promise<DesktopSettings>
  /** Called with a bookmark's id when another window wants it shown. */
  onOpenBookmark(listener: (id: string) => void): void
}

/** What the capture window can do beyond a browser. It is there as `earmarkCapture`, in the desktop app only. */
export interface CaptureBridge {
  /** As the dashboard's. */
  tabToken(): Promise<string>
  /** Called each time the window opens; with `null` when the clipboard holds nothing to save. */
  onBegin(listener: (clip: Clip | null) => void): void
  close(): void
  openBookmark(id: string): void
  /** The picture the window opened with, as it was copied; `null` where it is not to be had. */
  readPicture(): Promise<CopiedPicture | null>
}
