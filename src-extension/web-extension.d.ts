// The part of browsers' WebExtensions API that is used here, as Chromium and Firefox both have it.

interface Listeners<Listener> {
  addListener(listener: Listener): void
}

interface Tab {
  id?: number
  /** Of tabs that the extension may see. */
  url?: string
  title?: string
  incognito: boolean
}

interface NativePort {
  postMessage(message: object): void
  disconnect(): void
  onMessage: Listeners<(message: unknown) => void>
  onDisconnect: Listeners<(port: NativePort) => void>
  /** Why it ended, in Firefox. */
  error?: { message: string } | null
}

interface MenuClick {
  menuItemId: string | number
  linkUrl?: string
  srcUrl?: string
  selectionText?: string
  pageUrl?: string
}

interface Suggestion {
  content: string
  description: string
}

type Disposition = 'currentTab' | 'newForegroundTab' | 'newBackgroundTab'

declare const chrome: {
  i18n: {
    /** A text of `_locales`; empty if there is none. */
    getMessage(key: string, values?: string[]): string
  }
  runtime: {
    connectNative(name: string): NativePort
    getURL(path: string): string
    /** Why the call that ended just now failed, in Chromium. */
    lastError?: { message?: string }
    id: string
    onInstalled: Listeners<() => void>
    sendMessage(message: object): Promise<unknown>
    /** A listener that answers later gives `true` back. */
    onMessage: Listeners<(message: unknown, sender: { id?: string }, answer: (message: object) => void) => boolean>
  }
  action: {
    setBadgeText(badge: { tabId: number; text: string }): Promise<void>
    setBadgeBackgroundColor(badge: { tabId: number; color: string }): Promise<void>
    setTitle(title: { tabId: number; title: string }): Promise<void>
  }
  contextMenus: {
    removeAll(): Promise<void>
    create(item: { id: string; title: string; contexts: string[] }): void
    onClicked: Listeners<(click: MenuClick, tab?: Tab) => void>
  }
  omnibox: {
    setDefaultSuggestion(suggestion: { description: string }): void
    onInputChanged: Listeners<(text: string, suggest: (suggestions: Suggestion[]) => void) => void>
    onInputEntered: Listeners<(text: string, disposition: Disposition) => void>
  }
  permissions: {
    contains(wanted: { permissions: string[] }): Promise<boolean>
    request(wanted: { permissions: string[] }): Promise<boolean>
    remove(unwanted: { permissions: string[] }): Promise<boolean>
  }
  /** Only in Chromium, and with the permission for it. */
  pageCapture?: {
    saveAsMHTML(page: { tabId: number }): Promise<Blob>
  }
  scripting: {
    executeScript<Result>(script: {
      target: { tabId: number }
      files?: string[]
      func?: () => Result | Promise<Result>
    }): Promise<{ result?: Result }[]>
  }
  storage: {
    local: {
      get<Values extends object>(defaults: Values): Promise<Values>
      set(values: object): Promise<void>
    }
  }
  tabs: {
    query(filter: { active: boolean; currentWindow: boolean }): Promise<Tab[]>
    get(id: number): Promise<Tab>
    create(tab: { url: string; active?: boolean }): Promise<Tab>
    update(tab: { url: string }): Promise<Tab>
    onUpdated: Listeners<(id: number, change: { url?: string; status?: string }, tab: Tab) => void>
    onActivated: Listeners<(active: { tabId: number }) => void>
  }
}
