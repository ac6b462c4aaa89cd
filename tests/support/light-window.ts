/**
 * A browser window without layout and style sheets: documents, events, focus and history. Tests in Chromium (tests/e2e) cover what
 * needs layout.
 */
import { GlobalWindow } from 'happy-dom'
import { cssToHex } from '../../src-main/core/color.ts'

/** Globals that Node has too, but a page needs from its window: events pass only between objects of one of the two. */
const FROM_WINDOW = new Set([
  'CSS', // jest-dom's
  'CustomEvent',
  'Event',
  'EventTarget',
  'localStorage',
  'navigator',
  'sessionStorage',
  'Storage'
])

/** Globals that stay Node's: requests reach the service without a network. */
const FROM_NODE = new Set(['constructor', 'fetch', 'window', ...Object.getOwnPropertyNames(globalThis)])

/** The size of every element, in pixels: large enough for the first rows of long lists. */
const SIZE = { width: 1000, height: 800 }

const { locks } = navigator

/** The height that an element's own style gives it, in pixels. */
const heightOf = ({ style }: HTMLElement) => Number.parseFloat(style?.height ?? '') || 0

/** Replaces the window with one that has an empty document at this address. */
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
  // Without style sheets an element has only its own style.
  Object.assign(window, { getComputedStyle: (element: HTMLElement) => element.style })
  // Media queries use it.
  window.document.documentElement.style.fontSize = '16px'
  const supports = (property: string, value: string) => property === 'color' && cssToHex(value) !== undefined
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
  // What can be scrolled is as high as what it holds says.
  Object.defineProperty(window.HTMLElement.prototype, 'scrollHeight', {
    get(this: HTMLElement) {
      return Math.max(SIZE.height, ...Array.from(this.children, (child) => heightOf(child as HTMLElement)))
    },
    configurable: true
  })
  // A menu hides if its target has no size.
  window.Element.prototype.getBoundingClientRect = () => new window.DOMRect(0, 0, SIZE.width, SIZE.height)
  exposeGlobals(window)
  watchHistory(window)
  return window
}

/** Fires events for changes of the address. Wouter does so in the first window only. */
function watchHistory({ history, dispatchEvent, Event }: GlobalWindow): void {
  Object.assign(globalThis, { [Symbol.for('wouter_v3')]: true })
  for (const change of ['pushState', 'replaceState'] as const) {
    const go = history[change].bind(history)
    history[change] = (...args) => {
      go(...args)
      dispatchEvent(new Event(change))
    }
  }
}

/** Makes all properties of the window global, as for the scripts of a page. */
function exposeGlobals(window: GlobalWindow): void {
  const properties = window as unknown as Record<string, unknown>
  for (const name of allNames(window)) {
    if (FROM_NODE.has(name) && !FROM_WINDOW.has(name)) continue
    const value = properties[name]
    if (value === undefined) continue
    const isMethod = typeof value === 'function' && /^[a-z]/.test(name)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: isMethod ? value.bind(window) : value
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

/** Reports the size of an element once. */
class OneSizeObserver {
  readonly #report: ResizeObserverCallback

  constructor(report: ResizeObserverCallback) {
    this.#report = report
  }

  observe(target: Element): void {
    const box = [{ inlineSize: SIZE.width, blockSize: SIZE.height }]
    const entry = { target, contentRect: { ...SIZE, x: 0, y: 0 }, borderBoxSize: box }
    queueMicrotask(() => this.#report([entry as unknown as ResizeObserverEntry], this as unknown as ResizeObserver))
  }

  unobserve(): void {}
  disconnect(): void {}
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
