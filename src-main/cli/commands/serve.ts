import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { KEYS_UNKNOWN } from '../../contract/doctor.ts'
import { DEFAULT_PORT, endpointOf, programOrigin } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { LibraryLost, lossOf } from '../../host/library-lost.ts'
import { openOrFind } from '../../host/open-or-find.ts'
import { version } from '../../host/own-program.ts'
import { leaveServiceFile } from '../../host/service-file.ts'
import type { Listening } from '../../server/listen.ts'
import type { Service } from '../../service.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { UNKNOWN_NAME } from './login.ts'

interface ServeOptions extends CommonOptions {
  port?: number
  fetch: boolean
  open?: boolean
  /** Minutes. */
  idleExit?: number
}

/** `earmark serve`: the headless host. */
export function serveCommand(host: CommandProcess): Command {
  return common(new Command('serve'))
    .description('serve the library on localhost until you stop it')
    .option(
      '--port <n>',
      `port to listen on; 0 takes any free one (default: the one in settings, at first ${DEFAULT_PORT})`,
      port
    )
    .option('--no-fetch', 'never fetch the pages of bookmarks, whatever the settings say')
    .option('--open', 'open the dashboard in the browser')
    .option('--idle-exit <minutes>', 'stop after this many minutes without a request', minutes)
    .action((options: ServeOptions) => serve(options, host))
}

async function serve(options: ServeOptions, host: CommandProcess): Promise<void> {
  const data = prepareDataFolder(options.data)
  const found = await openOrFind(data, { fetches: options.fetch }).catch((error) =>
    openRecovered(error, data, options, host)
  )
  if ('running' in found) {
    const { pid, url } = found.running
    const login = commandFor(options.data, 'earmark login')
    throw new Problem(
      'library-in-use',
      `Earmark is already serving this library at ${url} (process ${pid}). For a link to its dashboard: ${login}`
    )
  }
  const { service } = found
  const stopped = untilTold(host) // before anyone can see that we serve, and tell us to stop
  const listening = await listen(service, options.port).catch(async (error) => {
    await service.close()
    throw error
  })
  let file: ReturnType<typeof leaveServiceFile> | undefined
  try {
    const url = programOrigin(listening.port)
    file = leaveServiceFile(data, { url, token: service.commandToken, pid: process.pid })
    if (!file.left) host.stderr.write(DISK_FULL)
    if (await service.lostLog()) host.stderr.write(LOG_LOST)
    if (listening.neighbour) host.stderr.write(warningOfNeighbour(listening.port))
    const login = service.loginLink()
    const mcp = endpointOf(url)
    print(host, options, { url, mcp, login, pid: process.pid, data }, [
      `Earmark ${version} is running. Stop it with Ctrl-C.`,
      `  Dashboard     ${login}`,
      `                (opens once, within 10 minutes; for another link: ${commandFor(options.data, 'earmark login')})`,
      `                ${UNKNOWN_NAME}`,
      `  MCP endpoint  ${mcp}`,
      `  Data          ${data}`
    ])
    if (options.open && !(await openInBrowser(service.loginLink()))) host.stderr.write(NOT_OPENED)
    if (options.idleExit === undefined) await stopped
    else await Promise.race([stopped, untilIdle(listening, options.idleExit, host)])
  } finally {
    file?.end()
    endAnyhow(host)
    await service.close()
  }
}

/** As long as ending may take, in milliseconds. */
const END_MS = 2000

/**
 * Ends the process though something of it hangs, as a read from a disk that is gone does: Node waits for that even when
 * it is told to exit. What was acknowledged is on disk, and the next start does what a close does.
 */
function endAnyhow(host: CommandProcess): void {
  setTimeout(() => {
    host.stderr.write(`Earmark did not stop within ${END_MS / 1000} seconds and was terminated.\n`)
    host.kill(process.pid, 'SIGKILL')
  }, END_MS).unref()
}

const LOG_LOST =
  'The log of the library, library.sqlite-wal, is missing or empty, although Earmark was not closed properly. The last ' +
  'saved bookmarks may be lost. If you have that file, stop Earmark and put it back.\n'

const NOT_OPENED = 'Earmark could not start a browser. Open the link to the dashboard above yourself.\n'

const DISK_FULL =
  'The disk is full. You can read what is saved. Until there is space again, nothing new is saved, and other commands ' +
  'do not find this service.\n'

/** Where a person sits at a terminal they are asked what is to take the place of a lost library. */
async function openRecovered(
  error: unknown,
  data: string,
  { json, fetch }: ServeOptions,
  { stdin, stderr }: CommandProcess
): ReturnType<typeof openOrFind> {
  const asks = error instanceof LibraryLost && !json && stdin.isTTY && stderr.isTTY
  if (!asks || !(await askRecovery(error, data, { input: stdin, output: stderr }))) throw error
  return openOrFind(data, { fetches: fetch })
}

async function listen(service: Service, chosen: number | undefined): Promise<Listening> {
  return service.listen(chosen ?? (await service.preferredPort()))
}

/** `localhost` may mean [::1], and another program there would be handed the keys. */
function warningOfNeighbour(port: number): string {
  return (
    `Another program listens on [::1]:${port}. Use 127.0.0.1 instead of localhost in your editors: otherwise they may ` +
    'send your keys to that program.\n'
  )
}

/** Ends when nothing was asked for so many minutes, and says so. An open dashboard asks without end. */
async function untilIdle({ quietSince }: Listening, limit: number, { stderr }: CommandProcess): Promise<void> {
  for (const most = limit * 60_000; ; ) {
    const left = (quietSince() ?? Date.now()) + most - Date.now()
    if (left <= 0) break
    await sleep(left, undefined, { ref: false })
  }
  stderr.write(`${new Date().toISOString()} No request for ${limit} minutes: the service stopped.\n`)
}

function untilTold(host: CommandProcess): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.once(signal, () => resolve())
  })
}

function minutes(text: string): number {
  const number = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || number <= 0) throw new InvalidArgumentError('Give a number of minutes.')
  return number
}

const port = wholeNumber({ from: 0, to: 65_535, asked: 'Give a port from 0 to 65535.' })

interface Terminal {
  input: Readable
  output: Writable
}

/**
 * Says that the library is lost, and asks what is to take its place.
 *
 * @returns whether something did
 */
export async function askRecovery(lost: LibraryLost, data: string, { input, output }: Terminal): Promise<boolean> {
  const { restoreBackup, startEmptyLibrary } = await import('../../service.ts')
  const { backup } = lost.recovery
  const lines = createInterface({ input, output })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    output.write(question)
    const { value } = await answers.next()
    return String(value ?? '')
      .trim()
      .toLowerCase()
  }
  try {
    output.write(`${lost.message}\n${lossOf(lost.recovery)}\n`)
    const ways = [...(backup ? ['[r] restore it'] : []), '[e] start with an empty library', '[q] quit']
    const answer = await ask(`${ways.join(', ')}: `)
    if (answer === 'r' && backup) {
      const { bookmarks, kept, keysUnknown } = await restoreBackup(data, backup.path)
      output.write(`Restored ${bookmarks} bookmarks.${kept === null ? '' : ` The old library is kept in ${kept}.`}\n`)
      if (keysUnknown) output.write(`${KEYS_UNKNOWN}\n`)
      return true
    }
    if (answer !== 'e' || (await ask('Type "empty" to start with no bookmarks at all: ')) !== 'empty') return false
    const kept = await startEmptyLibrary(data)
    if (kept !== null) output.write(`The old library is kept in ${kept}.\n`)
    return true
  } finally {
    lines.close()
  }
}

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
