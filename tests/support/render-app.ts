// The dashboard on the real service, in a window without layout: for what needs no browser to be seen.
import '@testing-library/jest-dom/vitest'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { configure, type queries, within } from '@testing-library/dom'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, vi } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { openLightWindow } from './light-window.ts'

const PORT = 20727

// The dashboard's packages are the app's: those of the tests have a React of their own.
const sources = join(import.meta.dirname, '../../src-renderer/')

configure({
  // As long as a browser test waits.
  asyncUtilTimeout: 30_000,
  // Testing Library would write all of the page's elements.
  getElementError: (message) => new Error(`${message?.split('\n')[0]}\nOn the page: ${textIn(document.body)}`)
})

/** Answers a request of the page's in place of the service. Without an answer the service is asked. */
type Answering = (request: Request) => Response | undefined | Promise<Response | undefined>

/** The dashboard, as somebody sees and uses it. */
export interface App {
  /** Finds what is on the page by role and name: `app.page.findByRole('button', { name: 'Add' })`. */
  readonly page: ReturnType<typeof within<typeof queries>>
  /** Types and clicks. */
  readonly user: UserEvent
  /** The requests of the page so far, as `GET /api/status`. */
  readonly requests: string[]
  /** The addresses it opened in other tabs. */
  readonly tabs: string[]
  /** The rows of the list that hold this text. */
  rows(text?: string): HTMLElement[]
  /** Answers requests whose method and path begin like this, until the returned function is called. */
  answer(start: string, answering: Answering): () => void
  /** Leaves such requests without an answer, until the returned function is called. */
  cut(start: string): () => void
  /** Loads the page anew, at this path or at the one it is at. */
  load(path?: string): Promise<void>
}

/**
 * Opens the dashboard at a path. It is gone after the test, which fails where the page wrote an error or a warning.
 *
 * @param options.loggedIn whether the browser has a session already
 */
export async function renderApp(service: Service, path = '/', { loggedIn = true } = {}): Promise<App> {
  const host = `${service.dashboardHost}:${PORT}`
  const origin = `http://${host}`
  const jar = { cookie: loggedIn ? await logIn(service, origin) : '' }
  const answering = new Map<string, Answering>()
  const requests: string[] = []
  const tabs: string[] = []
  const complaints = watchConsole()
  let user: UserEvent
  let leave = async () => {}

  async function askService(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input instanceof Request ? input : new URL(input, location.href), init)
    // No page has a key: it is the service, which tries one against its own address.
    if (request.headers.has('x-api-key')) return service.fetch(request)
    const asked = `${request.method} ${request.url.slice(origin.length)}`
    requests.push(asked)
    for (const [start, answers] of answering) {
      const answer = asked.startsWith(start) ? await answers(request) : undefined
      if (answer) return answer
    }
    request.headers.set('origin', origin)
    request.headers.set('host', host)
    request.headers.set('cookie', jar.cookie)
    const answer = await service.fetch(request)
    jar.cookie = cookieOf(answer) ?? jar.cookie
    return answer
  }

  const app: App = {
    get page() {
      return within(document.body)
    },
    get user() {
      return user
    },
    requests,
    tabs,
    rows: (text = '') =>
      app.page.queryAllByRole('row', { hidden: true }).filter((row) => row.textContent?.includes(text)),
    answer(start, answers) {
      answering.set(start, answers)
      return () => void answering.delete(start)
    },
    cut: (start) => app.answer(start, () => Promise.reject(new TypeError('fetch failed'))),
    async load(to = location.pathname + location.search + location.hash) {
      const stored = globalThis.document ? { local: { ...localStorage }, session: { ...sessionStorage } } : undefined
      await leave()
      const window = openLightWindow(origin + to)
      window.addEventListener('error', (event) => complaints.push(String((event as unknown as ErrorEvent).error)))
      Object.assign(localStorage, stored?.local)
      Object.assign(sessionStorage, stored?.session)
      Object.assign(globalThis, { fetch: askService, EventSource: eventSource(askService) })
      Object.assign(globalThis, { open: (address: string) => void tabs.push(address) })
      user = userEvent.setup({ document: document, delay: null, pointerEventsCheck: 0 })
      const unmount = showPage()
      leave = async () => {
        window.dispatchEvent(new window.Event('pagehide'))
        unmount()
        await window.happyDOM.abort()
      }
    }
  }
  const nodesFetch = globalThis.fetch
  onTestFinished(async () => {
    await leave()
    globalThis.fetch = nodesFetch
    Reflect.deleteProperty(globalThis, 'document')
    expect(complaints).toEqual([])
  })
  await app.load(path)
  return app
}

/** Shows the page with modules of its own: what one page remembers the next knows nothing of. */
function showPage(): () => void {
  dashboard ??= readDashboard()
  const exports: Partial<typeof import('./show-dashboard.ts')> = {}
  dashboard.runInThisContext()(createRequire(sources), exports)
  return exports.showDashboard?.() ?? (() => {})
}

// Compiled once a process. It runs once a page load.
let dashboard: Script | undefined

/** Reads what `build-dashboard.js` wrote. */
function readDashboard(): Script {
  const filename = join(import.meta.dirname, '../../out/tests-dashboard/dashboard.cjs')
  return new Script(`(function (require, exports) {${readFileSync(filename, 'utf8')}\n})`, { filename })
}

/** Asked for with each look at a page that is not ready: a copy of the page without its styles would take 20 times as long. */
function textIn(node: Node): string {
  if (node.nodeType === node.TEXT_NODE) return node.nodeValue ?? ''
  return node.nodeName === 'STYLE' ? '' : Array.from(node.childNodes, textIn).join('')
}

/** Logs in as the login page does. */
async function logIn(service: Service, origin: string): Promise<string> {
  const headers = { origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: new URL(service.loginLink()).hash.slice(1) })
  const answer = await service.fetch(new Request(`${origin}/api/session`, { method: 'POST', headers, body }))
  return cookieOf(answer) ?? ''
}

function cookieOf(answer: Response): string | undefined {
  return answer.headers.get('set-cookie')?.split(';')[0]
}

/** Gathers what the page writes to its console as an error or a warning. */
function watchConsole(): unknown[] {
  const complaints: unknown[] = []
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...written) => void complaints.push(written.map(String).join(' ')))
  }
  return complaints
}

/** The browser's reader of event streams, on the page's own way to the service. */
function eventSource(ask: (path: string, init: RequestInit) => Promise<Response>) {
  return class {
    static readonly CLOSED = 2
    readonly #leaving = new AbortController()
    readyState = 0
    onopen = () => {}
    onerror = () => {}
    onmessage = (_: { data: string }) => {}

    constructor(path: string) {
      this.#read(path).catch(() => this.#end())
    }

    close(): void {
      this.#leaving.abort()
    }

    async #read(path: string): Promise<void> {
      const { signal } = this.#leaving
      const { ok, body } = await ask(path, { signal })
      if (!ok || !body) return this.#end()
      this.onopen()
      const pieces = new WritableStream<string>({
        write: (piece) => {
          for (const [, data = ''] of piece.matchAll(/^data: (.*)$/gm)) this.onmessage({ data })
        }
      })
      await body.pipeThrough(new TextDecoderStream()).pipeTo(pieces, { signal })
      this.#end()
    }

    #end(): void {
      if (this.#leaving.signal.aborted) return
      this.readyState = 2
      this.onerror()
    }
  }
}
