/** The dashboard on the real service, in a window without layout. */
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

// The dashboard uses the app's packages: packages of tests have a React of their own.
const sources = join(import.meta.dirname, '../../src-renderer/')

configure({
  // The same limit as in browser tests.
  asyncUtilTimeout: 30_000,
  // Testing Library's own message has all elements of the page.
  getElementError: (message) => new Error(`${message?.split('\n')[0]}\nOn the page: ${textIn(document.body)}`)
})

/** Answers a request of the page in place of the service. If it returns nothing, the service answers. */
type Answering = (request: Request) => Response | undefined | Promise<Response | undefined>

/** The dashboard as a person sees and uses it. */
export interface App {
  /** Finds elements by role and name: `app.page.findByRole('button', { name: 'Add' })`. */
  readonly page: ReturnType<typeof within<typeof queries>>
  /** Types and clicks. */
  readonly user: UserEvent
  /** The page's requests so far, such as `GET /api/status`. */
  readonly requests: string[]
  /** Addresses that the page opened in other tabs. */
  readonly tabs: string[]
  /** Returns the rows of the list that contain this text. */
  rows(text?: string): HTMLElement[]
  /** Answers requests whose method and path start like this, until the returned function is called. */
  answer(start: string, answering: Answering): () => void
  /** Lets such requests fail as without a network, until the returned function is called. */
  cut(start: string): () => void
  /** Loads the page again, at this path or at the current one. */
  load(path?: string): Promise<void>
}

/**
 * Opens the dashboard at a path until the test is over. The test fails if the page writes an error or a warning.
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
    // Only the service itself sends a key, when it tries the key at its own address.
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

/** Shows the page with its own copy of all modules, so that no state remains from the page before. */
function showPage(): () => void {
  dashboard ??= readDashboard()
  const exports: Partial<typeof import('./show-dashboard.ts')> = {}
  dashboard.runInThisContext()(createRequire(sources), exports)
  return exports.showDashboard?.() ?? (() => {})
}

// Compiled once per process, and run once per page load.
let dashboard: Script | undefined

/** Reads what `build-dashboard.js` wrote. */
function readDashboard(): Script {
  const filename = join(import.meta.dirname, '../../out/tests-dashboard/dashboard.cjs')
  return new Script(`(function (require, exports) {${readFileSync(filename, 'utf8')}\n})`, { filename })
}

/** Called for each check of a page that is not ready: copying the page without its styles would take 20 times as long. */
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

/** Collects errors and warnings that the page writes to its console. */
function watchConsole(): unknown[] {
  const complaints: unknown[] = []
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...written) => void complaints.push(written.map(String).join(' ')))
  }
  return complaints
}

/** The browser's `EventSource`, with the page's own requests. */
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
