import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { app } from 'electron'
import { startProcessesWith } from '../host/child-process.ts'
import { startUtilityProcess } from './child-process.ts'
import { OZONE } from './launch.ts'

/**
 * Answers a command as a terminal has it: no window, no tray, no display, nothing left behind, and the exit code the
 * command line has.
 *
 * @param args the arguments this process was started with
 */
export async function answerCommand(command: string[], args: string[], run: RunCommand): Promise<void> {
  startWithoutDisplay(args)
  answerOnStandardError(command)
  // A command has no icon in the Dock; hidden only once the app is ready, it would be seen for a moment.
  app.dock?.hide()
  // Whoever asked reads what went wrong; Electron's own box would wait for somebody at a screen.
  process.on('uncaughtException', (error) => void fail(error))
  try {
    keepNoProfile()
    await app.whenReady()
    startAppWhenAsked()
    startProcessesWith(startUtilityProcess)
    await end(await run(command))
  } catch (error) {
    await fail(error)
  }
}

/** Runs a command line and gives its exit code. */
type RunCommand = (command: string[]) => Promise<number>

/**
 * On Linux Chromium looks for a display, and ends without one, before a switch of ours could tell it otherwise
 * (PreSandboxStartup in electron_main_delegate.cc). So this process starts anew, in its place, with an argument that does.
 */
function startWithoutDisplay(args: string[]): void {
  if (process.platform !== 'linux' || args.some((one) => one.startsWith(OZONE))) return
  const before = process.argv.slice(0, process.argv.length - args.length)
  try {
    process.execve?.(process.execPath, [...before, `${OZONE}headless`, '--disable-gpu', ...args])
  } catch {
    // There may be a display.
  }
}

/** Commands whose output another program takes apart byte by byte. */
const SPOKEN = ['mcp-stdio', 'native-host']

/**
 * Where packaging/earmark.cmd started this process, what is read is standard error. Messages that belong there go along
 * with the answer, but where the answer is a protocol.
 */
function answerOnStandardError([name = '']: string[]): void {
  if (process.env.EARMARK_OUTPUT !== 'stderr') return
  delete process.env.EARMARK_OUTPUT
  const { stderr } = process
  Object.defineProperty(process, 'stdout', { value: stderr })
  if (SPOKEN.includes(name)) Object.defineProperty(process, 'stderr', { value: nowhere() })
}

function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

/** Events that macOS sends to a program in its first moments are not a person's wish, in milliseconds. */
const STARTING_MS = 1000

/**
 * macOS knows one Earmark: while a command runs, a click on its icon or a link reaches the command's process. It starts
 * the app itself, which hands over to one that runs already.
 */
function startAppWhenAsked(): void {
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

/** Chromium keeps a profile even where there is no page. */
function keepNoProfile(): void {
  const profile = mkdtempSync(join(tmpdir(), 'earmark-command-'))
  app.setPath('userData', profile)
  app.once('quit', () => {
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    } catch {
      // On Windows Chromium may still hold a file of it: what the command said is worth more than a folder left behind.
    }
  })
}

async function fail(error: unknown): Promise<void> {
  process.stderr.write(`Earmark failed unexpectedly: ${error instanceof Error ? error.message : error}\n`)
  await end(1)
}

/** Ends only when a pipe has taken all that was written: unlike Node, Electron does not wait for it. */
async function end(code: number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  app.exit(code)
}
