/** The packaged program, started as a person or an editor starts it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ownProgram } from '../../src-main/host/own-program.ts'
import type { Ended } from '../support/earmark.ts'
import { freePort } from '../support/http.ts'

export interface PackagedApp {
  executable: string
  /** On the stand-in the executable is a script. */
  kind: 'real Electron' | 'stand-in'
}

const EXECUTABLES = ['*-unpacked/earmark', 'mac*/Earmark.app/Contents/MacOS/Earmark', '*-unpacked/Earmark.exe']

export function findApp(dist: string): PackagedApp | undefined {
  const [name] = EXECUTABLES.flatMap((pattern) => globSync(pattern, { cwd: dist }))
  if (name === undefined) return undefined
  const executable = join(dist, name)
  const isScript = readFileSync(executable).subarray(0, 2).toString() === '#!'
  return { executable, kind: isScript ? 'stand-in' : 'real Electron' }
}

/** Gives the work an empty folder, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-smoke-'))
  try {
    return await work(folder)
  } finally {
    // On Windows, rmSync does not retry a file that is still open (nodejs/node#64016).
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** The command with which other programs run Earmark's commands; on Windows its output can be read too. */
export function commandOf({ executable }: PackagedApp, platform = process.platform): string[] {
  const facts = { platform, execPath: executable, versions: { electron: 'packaged' }, env: {}, cwd: process.cwd }
  const { command, args } = ownProgram(facts)
  return [command, ...args]
}

export async function runCommand(app: PackagedApp, args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<Ended> {
  const [command = '', ...before] = commandOf(app)
  const child = spawn(command, [...before, ...args], { env, timeout: 30_000, killSignal: 'SIGKILL' })
  child.stdin.end(input)
  const ended = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, stdout, stderr }
}

export interface RunningApp {
  child: ChildProcess
  data: string
  /** The service's address and the token of commands. */
  facts: { url: string; token: string; pid: number }
  ended: Promise<number | null>
  output(): string
  /** Waits for the page at this path of the service. */
  page(path: '/' | '/capture'): Promise<Page>
  /** Opens a new connection to the browser: in the old one a page that crashed stays crashed. */
  reconnect(): Promise<void>
}

/** Runs the app on a library in the folder until the work is done. */
export async function withApp<T>(
  app: PackagedApp,
  folder: string,
  work: (running: RunningApp) => Promise<T>,
  { args = [], env = {} }: { args?: string[]; env?: NodeJS.ProcessEnv } = {}
): Promise<T> {
  const data = join(folder, 'library')
  const port = await freePort()
  const options = [`--remote-debugging-port=${port}`, '--no-fetch', '--port', '0', '--data', data, ...args]
  const child = spawn(app.executable, options, {
    env: { ...process.env, DISPLAY: process.env.DISPLAY ?? ':0', STAND_IN_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let browser: Browser | undefined
  // Playwright's defaults emulate the focus, and a page with the focus never sees that its window is hidden.
  const connect = () =>
    until(() => chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true }).catch(() => undefined))
  try {
    const file = join(data, 'service.json')
    const readFacts = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
    const facts = await until(readFacts, 20_000, () => output)
    browser = await connect()
    const pages = () => (browser?.contexts() ?? []).flatMap((context) => context.pages())
    const page = (path: string) => until(() => pages().find((candidate) => pathOf(candidate) === path))
    const reconnect = async () => {
      await browser?.close()
      browser = await connect()
    }
    return await work({ child, data, facts, ended, output: () => output, page, reconnect })
  } finally {
    await browser?.close()
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
  }
}

/** The dashboard's host name is a random name of this machine. */
function pathOf(page: Page): string | undefined {
  const url = page.url()
  return /^http:\/\/[\da-f]{32}\.localhost:/.test(url) ? new URL(url).pathname : undefined
}

/** Tries every 50 ms until there is a result. */
export async function until<T>(
  find: () => T | undefined | Promise<T | undefined>,
  limit = 20_000,
  output = () => ''
): Promise<T> {
  for (const deadline = Date.now() + limit; ; await sleep(50)) {
    const result = await find()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`nothing in ${limit} ms: ${output()}`)
  }
}
