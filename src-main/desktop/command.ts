import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { startKeychainWith } from '../host/open-or-find.ts'
import { startUtilityProcess } from './keychain-process.ts'
import { OZONE } from './launch.ts'

/**
 * Answers a command as a terminal has it: no window, no tray, no display, nothing left behind, and the exit code the
 * command line has.
 *
 * @param args the arguments this process was started with
 */
export async function answerCommand(command: string[], args: string[], run: RunCommand): Promise<void> {
  startWithoutDisplay(args)
  // Whoever asked reads what went wrong; Electron's own box would wait for somebody at a screen.
  process.on('uncaughtException', (error) => void fail(error))
  try {
    keepNoProfile()
    await app.whenReady()
    app.dock?.hide()
    startKeychainWith(startUtilityProcess)
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

/** Chromium keeps a profile even where there is no page. */
function keepNoProfile(): void {
  const profile = mkdtempSync(join(tmpdir(), 'earmark-command-'))
  app.setPath('userData', profile)
  app.once('quit', () => rmSync(profile, { recursive: true, force: true }))
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
