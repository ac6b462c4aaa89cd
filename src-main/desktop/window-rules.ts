import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { CaptureView } from '../contract/desktop.ts'
import { OZONE } from './launch.ts'
import type { MenuTexts } from './menu-texts.ts'

/** A rectangle on the screens, in device-independent pixels. */
interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** A window's last position. */
export interface WindowState {
  bounds: Bounds
  maximized: boolean
}

const MIN_SIZE = { width: 480, height: 360 }

/** The part of the title bar that must be visible to move the window. */
const GRIP = { width: 120, height: 40 }

/**
 * Returns the window's size and position. The window opens where it was, if that screen still exists. Otherwise it has
 * no position, so that the system chooses one, and a size that fits the first screen.
 *
 * @param screens the work areas, the main one first
 */
export function windowPlace(
  saved: WindowState | undefined,
  screens: Bounds[]
): { width: number; height: number; x?: number; y?: number } {
  const preferred = saved?.bounds ?? { width: 1200, height: 800 }
  const lastScreen = saved && screens.find((screen) => showsGrip(saved.bounds, screen))
  const screen = lastScreen ?? screens[0]
  if (!screen) return { width: preferred.width, height: preferred.height }
  const width = Math.max(MIN_SIZE.width, Math.min(preferred.width, screen.width))
  const height = Math.max(MIN_SIZE.height, Math.min(preferred.height, screen.height))
  return lastScreen ? { width, height, x: saved.bounds.x, y: saved.bounds.y } : { width, height }
}

function showsGrip({ x, y, width }: Bounds, screen: Bounds): boolean {
  const visible = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x)
  return visible >= GRIP.width && y >= screen.y && y + GRIP.height <= screen.y + screen.height
}

const CAPTURE = { width: 520, top: 72 }

/** Height of the capture window with one field, with all fields of a link, and with a list of results. */
const HEIGHTS: Record<CaptureView, number> = { field: 192, fields: 290, list: 452 }

/** Returns the position of the capture window, which is centered at the top of a screen. */
export function capturePlace(screen: Bounds, view: CaptureView): Bounds {
  const height = HEIGHTS[view]
  return {
    x: Math.round(screen.x + (screen.width - CAPTURE.width) / 2),
    y: screen.y + Math.min(CAPTURE.top, Math.max(0, screen.height - height)),
    width: CAPTURE.width,
    height
  }
}

/**
 * Returns the effect of closing the window. The window is hidden if a tray icon, or the Dock of macOS, can open it
 * again. Otherwise Earmark quits.
 */
export function onClosing(facts: { platform: NodeJS.Platform; tray: boolean; quitting: boolean }): 'hide' | 'quit' {
  if (facts.quitting) return 'quit'
  return facts.tray || facts.platform === 'darwin' ? 'hide' : 'quit'
}

/**
 * Whether the desktop shows tray icons. On Linux the desktop's name decides, because programs cannot read it from the
 * system. GNOME shows tray icons only with an extension, which Ubuntu has.
 */
export function trayShows(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true
  const desktops = (env.XDG_CURRENT_DESKTOP ?? '').toLowerCase().split(':')
  return desktops.includes('ubuntu') || desktops.some((name) => WITH_TRAY.includes(name))
}

const WITH_TRAY = ['budgie', 'cinnamon', 'deepin', 'kde', 'lxde', 'lxqt', 'mate', 'unity', 'x-cinnamon', 'xfce']

/** Maximum number of reloads within this time, in ms. */
const WITHIN_MS = 60_000
const MAX_RELOADS = 3

/**
 * Decides what to do when a page's process has ended. The page is reloaded up to three times within a minute. Then the
 * owner is asked, because a page that crashes on its content crashes again. After a clean exit, nothing is done.
 */
export function createCrashes(now: () => number = Date.now): (reason: string) => 'reload' | 'ask' | 'leave' {
  let times: number[] = []
  return (reason) => {
    if (reason === 'clean-exit') return 'leave'
    times = [...times.filter((time) => now() - time < WITHIN_MS), now()]
    return times.length > MAX_RELOADS ? 'ask' : 'reload'
  }
}

/** Whether Chromium uses Wayland: since Electron 38 it does in each Wayland session (docs/breaking-changes.md). */
export function isOnWayland(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, args: string[]): boolean {
  if (platform !== 'linux') return false
  const chosen = args.findLast((arg) => arg.startsWith(OZONE))?.slice(OZONE.length)
  if (chosen !== undefined && chosen !== 'auto') return chosen === 'wayland'
  return env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY)
}

/** Facts about the element that was clicked. */
export type Clicked = Pick<ContextMenuParams, 'linkURL' | 'isEditable' | 'selectionText' | 'editFlags'>

interface ContextActs {
  openLink(address: string): void
  copyText(text: string): void
}

type Item = MenuItemConstructorOptions

/** Returns the context menu; empty if there is nothing to do. Electron has none by default. */
export function contextMenu(clicked: Clicked, texts: MenuTexts, acts: ContextActs): Item[] {
  const { linkURL, isEditable, selectionText, editFlags } = clicked
  const link: Item[] = [
    { id: 'open-link', label: texts.openLink, click: () => acts.openLink(linkURL) },
    { id: 'copy-link', label: texts.copyLink, click: () => acts.copyText(linkURL) }
  ]
  const editing: Item[] = [
    { role: 'undo', label: texts.undo, enabled: editFlags.canUndo },
    { role: 'redo', label: texts.redo, enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: texts.cut, enabled: editFlags.canCut },
    { role: 'copy', label: texts.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: texts.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: texts.selectAll, enabled: editFlags.canSelectAll }
  ]
  const reading: Item[] = [{ role: 'copy', label: texts.copy, enabled: editFlags.canCopy }]
  if (isEditable) return editing
  const groups = [isWeb(linkURL) ? link : [], selectionText.trim() === '' ? [] : reading].filter(
    ({ length }) => length > 0
  )
  return groups.flatMap((group, index): Item[] => (index === 0 ? group : [{ type: 'separator' }, ...group]))
}

function isWeb(address: string): boolean {
  return /^https?:/.test(address)
}
