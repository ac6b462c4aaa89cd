import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import { TagText } from './tag.ts'

/** The clipboard's content as the system hands it over. The page that shows it decides what it means to a person. */
export interface Clip {
  text: string
  /** Beside a picture, what a browser says of it; empty otherwise. */
  html: string
  /** Whether it holds pixels. */
  picture: boolean
}

/** A copied picture's bytes, unless they are more than can be kept. */
export type CopiedPicture = Uint8Array<ArrayBuffer> | 'too-large'

/**
 * The fields of an `earmark://capture` link. Any page may hold such a link, so it is shown and saves nothing by itself.
 */
const CaptureFields = z.object({
  url: z.string().max(LIMITS.url).optional(),
  title: z.string().max(LIMITS.title).optional(),
  /** With an address its description, without one what is to be saved. */
  text: z.string().max(LIMITS.content).optional(),
  tags: z.array(TagText.min(1)).max(LIMITS.tags).optional()
})
export type CaptureFields = z.infer<typeof CaptureFields>

/** The request a person made by starting Earmark, perhaps while it runs already. */
export const LaunchRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['show', 'stay-hidden', 'find']) }),
  z.object({ kind: z.literal('capture'), fields: CaptureFields.optional() })
])
export type LaunchRequest = z.infer<typeof LaunchRequest>

/**
 * The purpose the capture window opens for: to save, to save the fields of a link, or to find. The clipboard's content,
 * if any, follows a moment after it opened to save: reading it may take a while.
 */
export type CaptureStart =
  | { kind: 'save' }
  | { kind: 'copied'; clip: Clip | null }
  | { kind: 'filled'; fields: CaptureFields }
  | { kind: 'find' }

/** The content of the capture window, which decides its height. */
export const CaptureView = z.enum(['field', 'fields', 'list'])
export type CaptureView = z.infer<typeof CaptureView>

/** Settings that exist only in the desktop app. */
export interface DesktopSettings {
  /** Starts hidden when the owner logs in; `null` where the system cannot start this program. */
  launchAtLogin: boolean | null
  /**
   * Whether the applications menu of a Linux desktop has Earmark, and links lead to it; `null` where that is not ours to
   * change.
   */
  inMenu: boolean | null
  /** Shows in the tray, and stays there when its window closes. */
  tray: boolean
  /** An accelerator as Electron writes it; `null` for none. */
  shortcut: string | null
  /** The system did not give us the shortcut, mostly because another program has it. */
  shortcutRefused: boolean
  /** The same of the keys that open quick find. */
  findShortcut: string | null
  findShortcutRefused: boolean
  /**
   * The desktop has the last word on the shortcut, and on where the capture window opens, and tells us neither: Wayland.
   * It may ask the owner about the keys, and lists them in settings of its own.
   */
  shortcutByDesktop: boolean
}

/** A change of some of them. */
export const DesktopChange = z.strictObject({
  launchAtLogin: z.boolean().exactOptional(),
  inMenu: z.boolean().exactOptional(),
  tray: z.boolean().exactOptional(),
  shortcut: z.string().min(1).max(60).nullable().exactOptional(),
  findShortcut: z.string().min(1).max(60).nullable().exactOptional()
})
export type DesktopChange = z.infer<typeof DesktopChange>

/** Functions that the dashboard's window has beyond a browser's. The desktop app provides them as `earmarkDesktop`. */
export interface DashboardBridge {
  /** Pages may not use the clipboard by themselves there. */
  copyText(text: string): Promise<void>
  readSettings(): Promise<DesktopSettings>
  changeSettings(change: DesktopChange): Promise<DesktopSettings>
  /** Called with a bookmark's id when another window wants it shown. */
  onOpenBookmark(listener: (id: string) => void): void
}

/** Functions that the capture window has beyond a browser's. The desktop app provides them as `earmarkCapture`. */
export interface CaptureBridge {
  /** Called each time the window opens. */
  onBegin(listener: (start: CaptureStart) => void): void
  close(): void
  /** Makes the window as high as this needs. */
  setView(view: CaptureView): void
  /** Opens a page in the system's browser. */
  openPage(url: string): void
  /** Pages may not use the clipboard by themselves there. */
  copyText(text: string): Promise<void>
  openBookmark(id: string): void
  /** The picture the window opened with, as it was copied; `null` where it is not to be had. */
  readPicture(): Promise<CopiedPicture | null>
}
