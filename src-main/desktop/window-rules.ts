import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { CaptureView } from '../contract/desktop.ts'
import { OZONE } from './launch.ts'

/** A rectangle on the screens, in device-independent pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** Where a window was. */
export interface WindowState {
  bounds: Bounds
  maximized: boolean
}

const SMALLEST = { width: 480, height: 360 }

/** This much of the title bar must show, or the window could not be moved. */
const GRIP = { width: 120, height: 40 }

/**
 * Where the window opens: where it was, as far as that is on a screen that is still there, and otherwise where the
 * system likes (`undefined`), in a size that fits the first screen.
 *
 * @param screens the work areas, the main one first
 */
export function windowPlace(
  saved: WindowState | undefined,
  screens: Bounds[]
): { width: number; height: number; x?: number; y?: number } {
  const wanted = saved?.bounds ?? { width: 1200, height: 800 }
  const holder = saved && screens.find((screen) => showsGrip(saved.bounds, screen))
  const screen = holder ?? screens[0]
  if (!screen) return { width: wanted.width, height: wanted.height }
  const width = Math.max(SMALLEST.width, Math.min(wanted.width, screen.width))
  const height = Math.max(SMALLEST.height, Math.min(wanted.height, screen.height))
  return holder ? { width, height, x: saved.bounds.x, y: saved.bounds.y } : { width, height }
}

function showsGrip({ x, y, width }: Bounds, screen: Bounds): boolean {
  const seen = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x)
  return seen >= GRIP.width && y >= screen.y && y + GRIP.height <= screen.y + screen.height
}

const CAPTURE = { width: 520, top: 72 }

/** How high the capture window is with one field, with all that a link can fill in, and with a list of what was found. */
const HEIGHTS: Record<CaptureView, number> = { field: 192, fields: 290, list: 452 }

/** The capture window: at the top of a screen, in the middle. */
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
 * Returns the effect of closing the window. It only hides if a tray shows that Earmark still runs, and on macOS, where
 * the dock does; anywhere else nobody could bring it back, so it quits.
 */
export function onClosing(facts: { platform: NodeJS.Platform; tray: boolean; quitting: boolean }): 'hide' | 'quit' {
  if (facts.quitting) return 'quit'
  return facts.tray || facts.platform === 'darwin' ? 'hide' : 'quit'
}

/**
 * Whether a tray icon will be seen. On Linux the desktop decides and no program can ask: GNOME shows none without an
 * extension, which Ubuntu has.
 */
export function trayShows(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true
  const desktops = (env.XDG_CURRENT_DESKTOP ?? '').toLowerCase().split(':')
  return desktops.includes('ubuntu') || desktops.some((name) => WITH_TRAY.includes(name))
}

const WITH_TRAY = ['budgie', 'cinnamon', 'deepin', 'kde', 'lxde', 'lxqt', 'mate', 'unity', 'x-cinnamon', 'xfce']

/** Within this time, in milliseconds, a page may be loaded anew this often. */
const WITHIN_MS = 60_000
const TRIES = 3

/**
 * Decides what follows when a page's process is gone: it is loaded anew, three times within a minute; then a person is
 * asked, because a page that dies of what it shows dies again. One that ended by itself is left alone.
 */
export function createCrashes(now: () => number = Date.now): (reason: string) => 'reload' | 'ask' | 'leave' {
  let times: number[] = []
  return (reason) => {
    if (reason === 'clean-exit') return 'leave'
    times = [...times.filter((time) => now() - time < WITHIN_MS), now()]
    return times.length > TRIES ? 'ask' : 'reload'
  }
}

/**
 * Whether Chromium runs on Wayland: since Electron 38 it does wherever the session is one, unless an argument says
 * otherwise (docs/breaking-changes.md).
 */
export function isOnWayland(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, args: string[]): boolean {
  if (platform !== 'linux') return false
  const chosen = args.findLast((one) => one.startsWith(OZONE))?.slice(OZONE.length)
  if (chosen !== undefined && chosen !== 'auto') return chosen === 'wayland'
  return env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY)
}

/** Facts about the place that was clicked. */
export type Clicked = Pick<ContextMenuParams, 'linkURL' | 'isEditable' | 'selectionText' | 'editFlags'>

export interface ContextActs {
  openLink(address: string): void
  copyText(text: string): void
}

type Item = MenuItemConstructorOptions

/** The menu of a right click; empty where there is nothing to do. Chromium has none of its own in Electron. */
export function contextMenu({ linkURL, isEditable, selectionText, editFlags }: Clicked, acts: ContextActs): Item[] {
  const link: Item[] = [
    { id: 'open-link', label: 'Open Link', click: () => acts.openLink(linkURL) },
    { id: 'copy-link', label: 'Copy Link', click: () => acts.copyText(linkURL) }
  ]
  const editing: Item[] = [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll }
  ]
  const reading: Item[] = [{ role: 'copy', enabled: editFlags.canCopy }]
  if (isEditable) return editing
  const groups = [isWeb(linkURL) ? link : [], selectionText.trim() === '' ? [] : reading].filter(
    ({ length }) => length > 0
  )
  return groups.flatMap((group, index): Item[] => (index === 0 ? group : [{ type: 'separator' }, ...group]))
}

function isWeb(address: string): boolean {
  return /^https?:/.test(address)
}
