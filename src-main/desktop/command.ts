import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { app } from 'electron'
import { OZONE } from './launch.ts'

/**
 * Runs a command as in a terminal: without a window, a tray, a display or remaining files, and with its exit code.
 *
 * @param args all arguments of this process
 */
export async function answerCommand(command: string[], args: string[], run: RunCommand): Promise<void> {
  startWithoutDisplay(args)
  redirectOutput(command)
  // A command has no icon in the Dock. If it were hidden later, it would be visible for a moment.
  app.dock?.hide()
  // Errors go to stderr. Electron's own dialog would wait for a person.
  process.on('uncaughtException', (error) => void fail(error))
  try {
    createTemporaryProfile()
    await app.whenReady()
    startAppOnActivate()
    await end(await run(command))
  } catch (error) {
    await fail(error)
  }
}

/** Runs a command line and returns its exit code. */
type RunCommand = (command: string[]) => Promise<number>

/**
 * Replaces this process by a process that needs no display. On Linux Chromium ends without a display before the app can
 * set a switch (PreSandboxStartup in electron_main_delegate.cc), so the new process gets the switch as an argument.
 */
function startWithoutDisplay(args: string[]): void {
  if (process.platform !== 'linux' || args.some((arg) => arg.startsWith(OZONE))) return
  const before = process.argv.slice(0, process.argv.length - args.length)
  try {
    process.execve?.(process.execPath, [...before, `${OZONE}headless`, '--disable-gpu', ...args])
  } catch {
    // The command still works if there is a display.
  }
}

/** Commands whose output is a protocol. */
const PROTOCOLS = ['mcp-stdio', 'native-host']

/**
 * Sends the output to standard error, from which packaging/earmark.cmd reads it. Messages are also sent there, unless
 * the output is a protocol.
 */
function redirectOutput([name = '']: string[]): void {
  if (process.env.EARMARK_OUTPUT !== 'stderr') return
  delete process.env.EARMARK_OUTPUT
  const { stderr } = process
  Object.defineProperty(process, 'stdout', { value: stderr })
  if (PROTOCOLS.includes(name))
    Object.defineProperty(process, 'stderr', { value: new Writable({ write: (_piece, _encoding, done) => done() }) })
}

/** Time in ms after the start during which macOS sends `activate` although nobody clicked. */
const STARTING_MS = 1000

/**
 * Starts the app if macOS reports a click on Earmark's icon or on a link to this command, because macOS reports it to any
 * process of Earmark. If the app runs already, the request is passed to it.
 */
function startAppOnActivate(): void {
  if (process.platform !== 'darwin') return
  const readyAt = Date.now()
  const start = (...args: string[]) => {
    const bundle = process.execPath.replace(/\/Contents\/MacOS\/[^/]+$/, '')
    spawn('open', ['-n', bundle, '--args', ...args], { detached: true, stdio: 'ignore' }).unref()
  }
  app.on('open-url', (event, link) => {
    event.preventDefault()
    start(link)
  })
  app.on('activate', () => {
    if (Date.now() - readyAt > STARTING_MS) start()
  })
}

/** Uses a temporary folder as the profile, because Chromium writes one even without a page. */
function createTemporaryProfile(): void {
  const profile = mkdtempSync(join(tmpdir(), 'earmark-command-'))
  app.setPath('userData', profile)
  app.once('quit', () => {
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    } catch {
      // On Windows Chromium may still have a file of the folder open.
    }
  })
}

async function fail(error: unknown): Promise<void> {
  process.stderr.write(`Earmark failed unexpectedly: ${error instanceof Error ? error.message : error}\n`)
  await end(1)
}

/** Exits after all output was written to its pipes. Unlike Node, Electron does not wait for that. */
async function end(code: number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  app.exit(code)
}
