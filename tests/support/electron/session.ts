import type * as E from 'electron'
import { browser } from './browser.ts'
import { platform } from './pretend.ts'
import { recorded } from './recorded.ts'
import { strict } from './strict.ts'

type Completed = (details: E.OnCompletedListenerDetails) => void

/** Where dictionaries are fetched, for all sessions (spellcheck_hunspell_dictionary.cc). */
let dictionaries = 'https://redirector.gvt1.com/edgedl/chrome/dict/'

/** One partition: all windows of the app share it. */
class Partition {
  request: ((permission: string) => boolean) | undefined
  check: ((permission: string) => boolean) | undefined
  completed: { urls: string[]; listener: Completed } | undefined

  setPermissionRequestHandler(handler: Parameters<E.Session['setPermissionRequestHandler']>[0]) {
    this.request = (permission) => {
      let allowed = false
      handler?.(undefined as never, permission as never, (answer) => (allowed = answer), undefined as never)
      return allowed
    }
  }

  setPermissionCheckHandler(handler: Parameters<E.Session['setPermissionCheckHandler']>[0]) {
    this.check = (permission) => handler?.(null, permission as never, '', undefined as never) ?? true
  }

  setDevicePermissionHandler() {}

  private languages = ['en-US']

  /** Chromium looks for the dictionary of a new session off this thread, and fetches it where there is none. */
  constructor() {
    setImmediate(() => {
      if (platform !== 'darwin')
        recorded.dictionaries.push(...this.languages.map((one) => `${dictionaries}${one}.bdic`))
    })
  }

  setSpellCheckerDictionaryDownloadURL(url: string) {
    dictionaries = new URL(url).href
  }

  setSpellCheckerLanguages(languages: string[]) {
    if (platform !== 'darwin') this.languages = languages
  }

  cookies = strict('cookies', {
    async set({ url, name = '', value = '', httpOnly = false, sameSite }: E.CookiesSetDetails) {
      const strictly = sameSite === 'strict' ? 'Strict' : 'Lax'
      await (await browser()).addCookies([{ url, name, value, httpOnly, sameSite: strictly }])
    },
    async get() {
      const cookies = await (await browser()).cookies()
      const named = { Strict: 'strict', Lax: 'lax', None: 'no_restriction' } as const
      return cookies.map(({ sameSite, ...cookie }) => ({ ...cookie, hostOnly: true, sameSite: named[sameSite] }))
    }
  }) satisfies Partial<E.Cookies>

  webRequest = strict('webRequest', {
    onCompleted: (filter: E.WebRequestFilter, listener: Completed) => {
      this.completed = { urls: filter.urls ?? [], listener }
    }
  })
}

const partitions = new Map<string, Partition>()

export const session = strict('session', {
  fromPartition(name: string) {
    const partition = partitions.get(name) ?? new Partition()
    partitions.set(name, partition)
    if (partitions.size > 1) throw new Error('the stand-in has one partition')
    return strict('session', partition) as unknown as E.Session
  }
}) satisfies Partial<typeof E.session>

/** Whether pages of the partition may use something that Electron asks about. Without handlers they may. */
export function pagesMay(permission: string): boolean {
  const [partition] = partitions.values()
  return (partition?.check?.(permission) ?? true) && (partition?.request?.(permission) ?? true)
}

/** Tells the app of an answer a page got. */
export function completed(url: string, statusCode: number, webContentsId: number): void {
  const [partition] = partitions.values()
  const { urls = [], listener } = partition?.completed ?? {}
  if (!urls.some((pattern) => url.startsWith(pattern.replace(/\*$/, '')))) return
  listener?.({ url, statusCode, webContentsId } as E.OnCompletedListenerDetails)
}
