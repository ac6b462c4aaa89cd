import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** How long the browser has to read the file that leads it on, in milliseconds. */
const KEEP_MS = 60_000

/** A program that opens pages and has not failed by then has done so, in milliseconds. */
const FAILED_MS = 3000

/** Opens a file or an address in the browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}

/**
 * Opens a login link in the system's browser. On Linux and macOS every user of the machine sees the arguments of a
 * program, so the link goes by a file that only its owner can read, and that is gone after a minute. It lies in the home
 * folder because a browser from Snap reads no hidden folder and no other user's.
 *
 * @param opener the program that opens pages, and its arguments
 * @returns whether a browser was started, as far as can be told
 */
export async function openInBrowser(
  link: string,
  {
    opener = OPENERS[process.platform] ?? ['xdg-open'],
    folder = homedir()
  }: { opener?: string[]; folder?: string } = {}
): Promise<boolean> {
  const [program = '', ...args] = opener
  if (process.platform === 'win32') return start(program, [...args, link])
  const file = join(folder, `earmark-login-${randomBytes(6).toString('hex')}.html`)
  try {
    writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, {
      flag: 'wx',
      mode: 0o600
    })
  } catch {
    return false
  }
  const remove = () => rmSync(file, { force: true })
  process.once('exit', remove)
  const started = await start(program, [...args, file])
  if (started) setTimeout(remove, KEEP_MS).unref()
  else remove()
  return started
}

function start(program: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.unref()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    setTimeout(() => resolve(true), FAILED_MS).unref()
  })
}
