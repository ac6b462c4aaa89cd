import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import { TagText } from './tag.ts'

/** The clipboard's content. The capture page decides the type of the bookmark. */
export interface Clip {
  text: string
  /** The HTML that a browser copies together with a picture; otherwise empty. */
  html: string
  picture: boolean
}

/** The bytes of a copied picture; `too-large` if it exceeds the maximum size. */
export type CopiedPicture = Uint8Array<ArrayBuffer> | 'too-large'

/**
 * The fields of an `earmark://capture` link. Any web page may contain such a link, so the capture window only shows the
 * fields.
 */
const CaptureFields = z.object({
  url: z.string().max(LIMITS.url).optional(),
  title: z.string().max(LIMITS.title).optional(),
  /** The description if there is an address, otherwise the text to save. */
  text: z.string().max(LIMITS.content).optional(),
  tags: z.array(TagText.min(1)).max(LIMITS.tags).optional()
})
export type CaptureFields = z.infer<typeof CaptureFields>

/** The request of a program start, which the running process carries out if Earmark runs already. */
export const LaunchRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['show', 'stay-hidden', 'find']) }),
  z.object({ kind: z.literal('capture'), fields: CaptureFields.optional() })
])
export type LaunchRequest = z.infer<typeof LaunchRequest>

/**
 * The purpose of the capture window: to save, to save the fields of a link, or to find. `copied` follows `save` with
 * the clipboard's content, because reading the clipboard may take a while.
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
  /** Whether Earmark starts hidden at login; `null` if the system cannot start this program. */
  launchAtLogin: boolean | null
  /**
   * Whether this Linux desktop lists Earmark in its applications menu and opens `earmark://` links with it; `null` if
   * an installer decides that.
   */
  inMenu: boolean | null
  /** Whether Earmark shows a tray icon, and keeps running after its window is closed. */
  tray: boolean
  /** An accelerator as Electron writes it; `null` for none. */
  shortcut: string | null
  /** The system refused the shortcut, mostly because another program has it. */
  shortcutRefused: boolean
  /** The accelerator of quick find; `null` for none. */
  findShortcut: string | null
  findShortcutRefused: boolean
  /**
   * True on Wayland. There the desktop chooses the shortcuts and the position of the capture window, and reports
   * neither to Earmark. The desktop may ask the owner about the keys, and lists them in its own settings.
   */
  shortcutByDesktop: boolean
}

export const DesktopChange = z.strictObject({
  launchAtLogin: z.boolean().exactOptional(),
  inMenu: z.boolean().exactOptional(),
  tray: z.boolean().exactOptional(),
  shortcut: z.string().min(1).max(60).nullable().exactOptional(),
  findShortcut: z.string().min(1).max(60).nullable().exactOptional()
})
export type DesktopChange = z.infer<typeof DesktopChange>

/** Functions that the desktop app gives the dashboard's page as `earmarkDesktop`. */
export interface DashboardBridge {
  /** The app's pages have no permission for the clipboard. */
  copyText(text: string): Promise<void>
  readSettings(): Promise<DesktopSettings>
  changeSettings(change: DesktopChange): Promise<DesktopSettings>
  /** Calls the listener with the id of a bookmark that another window asks to show. */
  onOpenBookmark(listener: (id: string) => void): void
}

/** Functions that the desktop app gives the capture window's page as `earmarkCapture`. */
export interface CaptureBridge {
  /** The listener is called each time the window opens. */
  onBegin(listener: (start: CaptureStart) => void): void
  close(): void
  /** Sets the window's height for this content. */
  setView(view: CaptureView): void
  openPage(url: string): void
  /** The app's pages have no permission for the clipboard. */
  copyText(text: string): Promise<void>
  openBookmark(id: string): void
  /** Returns the picture that was in the clipboard when the window opened; `null` if it is no longer available. */
  readPicture(): Promise<CopiedPicture | null>
}
