// A browser's window without pictures: documents, events, focus and history, but no layout and no style sheets. What only
// those show is tried in Chromium (tests/e2e).
import { GlobalWindow } from 'happy-dom'
import { hexOf } from '../../src-main/core/color.ts'

/** What Node has of its own and a page needs as its window has it, because events only pass within one of the two. */
const WINDOWS_OWN = new Set([
  'CSS', // jest-dom's
  'CustomEvent',
  'Event',
  'EventTarget',
  'localStorage',
  'navigator',
  'sessionStorage',
  'Storage'
])

/** What stays Node's: the service is asked without a network. */
const NODES_OWN = new Set(['constructor', 'fetch', 'window', ...Object.getOwnPropertyNames(globalThis)])

/** Every element is as large as a window's middle, so that long lists draw their first rows. In pixels. */
const SIZE = { width: 1000, height: 800 }

const { locks } = navigator

/** Takes the place of the window before: a new, empty document at this address, as after a page was loaded. */
export function openLightWindow(url: string): GlobalWindow {
  const window = new GlobalWindow({
    url,
    width: 1280,
    height: 800,
    settings: {
      device: { prefersReducedMotion: 'reduce' },
      navigation: { disableMainFrameNavigation: true },
      enableJavaScriptEvaluation: false
    }
  })
  Object.assign(window, { ResizeObserver: OneSizeObserver, IntersectionObserver: NoObserver })
  Object.assign(window, {
    requestIdleCallback: (work: () => void) => setTimeout(work),
    cancelIdleCallback: clearTimeout
  })
  // Nothing is styled, so what an element says of itself is all there is to know.
  Object.assign(window, { getComputedStyle: (element: HTMLElement) => element.style })
  // Media queries count in it.
  window.document.documentElement.style.fontSize = '16px'
  const supports = (property: string, value: string) => property === 'color' && hexOf(value) !== undefined
  Object.defineProperty(window, 'CSS', { value: Object.assign(window.CSS, { supports }) })
  Object.defineProperty(window.navigator, 'locks', { value: locks })
  Object.defineProperty(window.document, 'fonts', { value: new window.EventTarget() })
  Object.defineProperty(window.HTMLDocument.prototype, 'images', {
    get(this: Document) {
      return this.querySelectorAll('img')
    }
  })
  for (const [name, size] of Object.entries(SIZE)) {
    for (const box of ['offset', 'client']) {
      const property = box + name.charAt(0).toUpperCase() + name.slice(1)
      Object.defineProperty(window.HTMLElement.prototype, property, { get: () => size, configurable: true })
    }
  }
  // A menu hides where what it belongs to has no size.
  window.Element.prototype.getBoundingClientRect = () => new window.DOMRect(0, 0, SIZE.width, SIZE.height)
  exposeGlobals(window)
  watchHistory(window)
  return window
}

/** Makes changes of the address known as events, as wouter does in the first window that it sees, and in no other. */
function watchHistory({ history, dispatchEvent, Event }: GlobalWindow): void {
  Object.assign(globalThis, { [Symbol.for('wouter_v3')]: true })
  for (const change of ['pushState', 'replaceState'] as const) {
    const go = history[change].bind(history)
    history[change] = (...step) => {
      go(...step)
      dispatchEvent(new Event(change))
    }
  }
}

/** Makes everything of the window's global, as it is for the scripts of a page. */
function exposeGlobals(window: GlobalWindow): void {
  const own = window as unknown as Record<string, unknown>
  for (const name of allNames(window)) {
    if (NODES_OWN.has(name) && !WINDOWS_OWN.has(name)) continue
    const value = own[name]
    if (value === undefined) continue
    const method = typeof value === 'function' && /^[a-z]/.test(name)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: method ? value.bind(window) : value
    })
  }
  Object.assign(globalThis, { window: globalThis })
}

function allNames(window: object): Set<string> {
  const names = new Set<string>()
  for (let part = window; part !== Object.prototype; part = Object.getPrototypeOf(part)) {
    for (const name of Object.getOwnPropertyNames(part)) names.add(name)
  }
  return names
}

/** Tells once, as soon as it is asked, how large an element is. */
class OneSizeObserver {
  readonly #tell: ResizeObserverCallback

  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell
  }

  observe(target: Element): void {
    const box = [{ inlineSize: SIZE.width, blockSize: SIZE.height }]
    const entry = { target, contentRect: { ...SIZE, x: 0, y: 0 }, borderBoxSize: box }
    queueMicrotask(() => this.#tell([entry as unknown as ResizeObserverEntry], this as unknown as ResizeObserver))
  }

  unobserve(): void {}
  disconnect(): void {}
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
