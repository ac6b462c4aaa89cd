/**
 * Starts the built app: on Linux on real Electron where its runtime is installed and a screen is there, else on the
 * stand-in, which is a Linux desktop unless it is told otherwise. What the specs expect is what Linux shows.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from '@playwright/test'
import type * as Electron from 'electron'
import type { Recorded } from './recorded.ts'

const root = join(import.meta.dirname, '../../..')
const { installedRuntime } = (await import(pathToFileURL(join(root, 'src-main/cli/runtime.js')).href)) as {
  installedRuntime(env: NodeJS.ProcessEnv): string | undefined
}
const mayRun = process.platform === 'linux' && process.env.DISPLAY && process.getuid?.() !== 0
const runtime = mayRun ? installedRuntime(process.env) : undefined

export const kind = runtime ? 'real Electron' : 'stand-in'

/** The running app. */
export interface Desktop {
  pid: number
  /** Runs in the app's main process; `recorded` is what it did outside its pages. */
  run<T, A = undefined>(
    work: (electron: typeof Electron, arg: A) => T | Promise<T>,
    ...arg: A extends undefined ? [] : [A]
  ): Promise<T>
  recorded<T>(read: (recorded: Recorded) => T): Promise<T>
  /** The page at this path of the service, once it is there. */
  page(path: '/' | '/capture'): Promise<Page>
  /** The exit code, once the app has ended by itself. */
  ended: Promise<number | null>
  quit(): Promise<number | null>
  /** Ends it, for after a test: what does not quit is killed. */
  end(): Promise<void>
  output(): string
}

export interface StartOptions {
  args?: string[]
  env?: NodeJS.ProcessEnv
}

export async function startDesktop(data: string, options: StartOptions = {}): Promise<Desktop> {
  return runtime ? onElectron(runtime, data, options) : onStandIn(data, options)
}

/**
 * Starts a second one on a library that one serves already, and gives its exit code. It ends too soon for Playwright,
 * which waits for Chromium's word that it can be looked into.
 */
export async function startAgain(data: string, { args = [], env = {} }: StartOptions = {}): Promise<number | null> {
  const given = ['--no-fetch', '--data', data, ...args]
  const child = runtime
    ? spawn(runtime, [root, ...given], { env: { ...process.env, ...env }, stdio: 'ignore' })
    : spawn(process.execPath, ['--import', register, program, ...given], { env: standInEnv(env), stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

const program = join(root, 'out/main/desktop.js')
const register = pathToFileURL(join(import.meta.dirname, 'register.js')).href

function standInEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...process.env,
    STAND_IN_PLATFORM: 'linux',
    DISPLAY: ':0',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    ...env
  }
}

async function onStandIn(data: string, { args = [], env = {} }: StartOptions): Promise<Desktop> {
  const port = await freePort()
  const child = fork(program, ['--no-fetch', '--data', data, ...args], {
    execArgv: ['--import', register],
    env: { ...standInEnv(env), STAND_IN_PORT: String(port) },
    silent: true
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const ask = asker(child, () => output)
  let browser: Promise<Browser> | undefined

  async function pages(): Promise<Page[]> {
    // It starts with the first window.
    browser ??= chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const connected = await browser.catch(() => {
      browser = undefined
    })
    const contexts = connected?.contexts() ?? []
    // In Electron these are those of the default session; the windows have a partition of their own.
    for (const context of contexts) context.cookies = async () => []
    return contexts.flatMap((context) => context.pages())
  }

  const desktop: Desktop = {
    pid: child.pid ?? 0,
    run: (work, ...arg) => ask(String(work), arg[0]) as never,
    recorded: (read) => ask(`() => (${read})(globalThis.recorded)`, undefined) as never,
    page: (path) =>
      until(async () => {
        const found = (await pages()).find((page) => pathOf(page) === path)
        const said = found ? [] : await desktop.recorded(({ dialogs }) => dialogs.map((one) => one.message))
        if (said.length > 0) throw new Error(`instead of ${path}: ${said}`)
        return found
      }),
    ended,
    async quit() {
      await desktop.run(({ app }) => void setImmediate(() => app.quit())).catch(() => {})
      return ended
    },
    async end() {
      if (child.connected) child.disconnect()
      await endedInTime(child, ended)
    },
    output: () => output
  }
  // The app is up once it answers.
  await Promise.race([desktop.run(() => true).catch(() => {}), ended])
  return desktop
}

async function onElectron(
  executablePath: string,
  data: string,
  { args = [], env = {} }: StartOptions
): Promise<Desktop> {
  const recorder = join(import.meta.dirname, 'recorder.cjs')
  const app: ElectronApplication = await _electron.launch({
    executablePath,
    // Without it Playwright starts Electron with --no-sandbox on Linux.
    chromiumSandbox: true,
    args: ['-r', recorder, root, '--no-fetch', '--data', data, ...args],
    env: { ...process.env, ...env } as Record<string, string>
  })
  const child = app.process()
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    pid: child.pid ?? 0,
    run: (work, ...arg) => app.evaluate(work as never, arg[0] as never) as never,
    recorded: (read) => app.evaluate(`(() => (${read})(globalThis.recorded))()` as never) as never,
    page: (path) => until(async () => app.windows().find((page) => pathOf(page) === path)),
    ended,
    async quit() {
      await app.evaluate(({ app: main }) => main.quit()).catch(() => {})
      return ended
    },
    async end() {
      // Killed, it would leave the socket of its single instance in the temporary folder.
      void app.evaluate(({ app: main }) => main.quit()).catch(() => {})
      await endedInTime(child, ended)
    },
    output: () => ''
  }
}

async function endedInTime(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const limit = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(limit)
}

function asker(child: ChildProcess, output: () => string): (source: string, arg: unknown) => Promise<unknown> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    if (error === undefined) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the app ended with ${code}: ${output()}`))
  })
  return (source, arg) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      child.send({ id: last, source, arg }, (error) => error && reject(error))
    })
}

function pathOf(page: Page): string {
  const url = page.url()
  return /^http:\/\/[\da-f]{32}\.localhost:/.test(url) ? new URL(url).pathname : ''
}

/** Asks again every 25 ms; the test's own time limit ends it. */
async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
