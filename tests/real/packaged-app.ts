import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ownProgram } from '../../src-main/host/own-program.ts'

/** The program that was packaged, and what it runs on. */
export interface PackagedApp {
  executable: string
  kind: 'real Electron' | 'stand-in'
}

const EXECUTABLES = ['*-unpacked/earmark', 'mac*/Earmark.app/Contents/MacOS/Earmark', '*-unpacked/Earmark.exe']

/** Looks in dist/. On the stand-in it is a script. */
export function findApp(dist: string): PackagedApp | undefined {
  const [executable] = EXECUTABLES.flatMap((pattern) => globSync(pattern, { cwd: dist })).map((name) =>
    join(dist, name)
  )
  if (!executable) return undefined
  const isScript = readFileSync(executable).subarray(0, 2).toString() === '#!'
  return { executable, kind: isScript ? 'stand-in' : 'real Electron' }
}

/** A folder for one check, gone after it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-smoke-'))
  try {
    return await work(folder)
  } finally {
    // Not rmSync, which on Windows does not try again where a file is still held (nodejs/node#64016).
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** How a command of the program ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** How other programs run its commands: what they write can be read on Windows too. */
export function commandOf({ executable }: PackagedApp, platform = process.platform): string[] {
  const facts = { platform, execPath: executable, versions: { electron: 'packaged' }, env: {}, cwd: process.cwd }
  const { command, args } = ownProgram(facts)
  return [command, ...args]
}

export async function runCommand(app: PackagedApp, args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<Ended> {
  const [command = '', ...before] = commandOf(app)
  const child = spawn(command, [...before, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000)
  child.stdin.end(input)
  const [code] = await ended
  clearTimeout(limit)
  const [stdout, stderr] = await said
  return { code, stdout, stderr }
}

/** A window's app that runs. */
export interface RunningApp {
  child: ChildProcess
  data: string
  /** The service's address and the token of commands. */
  facts: { url: string; token: string; pid: number }
  ended: Promise<number | null>
  output(): string
  /** The page at this path of the service, once it is there. */
  page(path: '/' | '/capture'): Promise<Page>
  /** Forgets the pages there were: to who saw one crash, it stays crashed. */
  connectAnew(): Promise<void>
}

/** Starts the app on a library in the folder, hands it over when it serves, and ends it after that. */
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
  try {
    const file = join(data, 'service.json')
    const facts = await until(
      () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined),
      20_000,
      () => output
    )
    const connect = () =>
      // Playwright's defaults emulate the focus, and a page that has it never sees its window hidden.
      until(
        () => chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true }).catch(() => undefined),
        20_000
      )
    browser = await connect()
    const pages = () => (browser?.contexts() ?? []).flatMap((context) => context.pages())
    const page = (path: string) => until(() => pages().find((one) => pathOf(one) === path), 20_000)
    const connectAnew = async () => {
      await browser?.close()
      browser = await connect()
    }
    return await work({ child, data, facts, ended, output: () => output, page, connectAnew })
  } finally {
    await browser?.close()
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
  }
}

/** The dashboard's address has a name of this machine in it that nobody else knows. */
function pathOf(page: Page): string | undefined {
  const url = page.url()
  return /^http:\/\/[\da-f]{32}\.localhost:/.test(url) ? new URL(url).pathname : undefined
}

/** Asks again every 50 ms. */
export async function until<T>(
  find: () => T | undefined | Promise<T | undefined>,
  patience: number,
  said: () => string = () => ''
): Promise<T> {
  for (const deadline = Date.now() + patience; ; ) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`nothing in ${patience} ms${said() && `: ${said()}`}`)
    await sleep(50)
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
