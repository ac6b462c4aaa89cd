/**
 * Runs in a page before its scripts, as a sandboxed preload does, but in the page's own world: it shows nothing about
 * isolation. Values cross as copies, as they do over the bridge. Its source is sent to the page, so it stands alone.
 */
export function preloadWorld(
  run: (require: (name: string) => unknown, module: object, exports: object) => void,
  mayUse: (permission: string) => Promise<boolean>
): void {
  type Any = (...args: unknown[]) => unknown
  const page = window as unknown as {
    standInCall: (kind: 'invoke' | 'open' | 'leave', name: string, args: unknown[]) => Promise<unknown>
    standInTell: (channel: string, ...args: unknown[]) => void
  }
  const listeners = new Map<string, Any[]>()
  const { standInCall } = page
  page.standInTell = (channel, ...args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args)
  }

  function copied(value: unknown): unknown {
    if (typeof value === 'function') {
      return (...args: unknown[]) => {
        const result = (value as Any)(...args.map((arg) => (typeof arg === 'function' ? arg : structuredClone(arg))))
        return result instanceof Promise ? result.then((one) => structuredClone(one)) : copied(result)
      }
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)])))
  }

  function only(name: string, members: object): object {
    return new Proxy(members, {
      get(from, key, self) {
        if (key in from || typeof key === 'symbol') return Reflect.get(from, key, self)
        throw new Error(`the Electron stand-in has no ${name}.${key}`)
      }
    })
  }

  const electron = only('renderer', {
    contextBridge: only('contextBridge', {
      exposeInMainWorld(key: string, api: unknown) {
        Object.defineProperty(window, key, { value: copied(api) })
      }
    }),
    ipcRenderer: only('ipcRenderer', {
      invoke: (channel: string, ...args: unknown[]) => standInCall('invoke', channel, structuredClone(args)),
      on(channel: string, listener: Any) {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      }
    })
  })

  // Electron asks the permission handlers where Chromium would just do it.
  const write = navigator.clipboard?.writeText.bind(navigator.clipboard)
  if (write) {
    navigator.clipboard.writeText = async (text) => {
      if (!(await mayUse('clipboard-sanitized-write')))
        throw new DOMException('Write permission denied.', 'NotAllowedError')
      return write(text)
    }
  }

  window.open = (address) => {
    void standInCall('open', new URL(String(address ?? 'about:blank'), location.href).href, [])
    return null
  }
  addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href]')
    const elsewhere = link?.target === '_blank'
    // Playwright hears of no navigation to another program.
    if (!link || event.defaultPrevented || (!elsewhere && /^https?:/.test(link.href))) return
    event.preventDefault()
    void standInCall(elsewhere ? 'open' : 'leave', link.href, [])
  })

  const require = (name: string) => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name}`)
  }
  run(require, { exports: {} }, {})
}
