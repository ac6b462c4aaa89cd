import type { CaptureView } from '../contract/desktop.ts'

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
