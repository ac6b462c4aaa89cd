import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { DEFAULT_PORT, endpointAddress, programOrigin } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { openOrFind } from '../../host/open-library.ts'
import { howToStart, version } from '../../host/own-program.ts'
import { readServiceFile, writeServiceFile } from '../../host/service-file.ts'
import type { Listening } from '../../server/listen.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print, wholeNumber } from '../command.ts'
import { assertFolder, findRunning, isGone, read, withConnection } from '../service-client.ts'

interface ServeOptions extends CommonOptions {
  port?: number
  fetch: boolean
  open?: boolean
  /** Minutes. */
  idleExit?: number
}

/** The headless host. */
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
  const opened = await openOrFind(data, { fetches: options.fetch })
  if ('running' in opened) {
    const { pid, url } = opened.running
    const login = commandFor(options.data, 'earmark login')
    throw new Problem(
      'library-in-use',
      `Earmark is already serving this library at ${url} (process ${pid}). For a link to its dashboard: ${login}`
    )
  }
  const { service } = opened
  const stopped = untilSignal(host) // before another process can see the service and end it
  const listening = await service.listen(options.port).catch(async (error) => {
    await service.close()
    throw error
  })
  let file: Awaited<ReturnType<typeof writeServiceFile>> | undefined
  try {
    const url = programOrigin(listening.port)
    file = await writeServiceFile(data, { url, token: service.commandToken, pid: process.pid })
    if (!file.written) host.stderr.write(DISK_FULL)
    if (service.lostLog()) host.stderr.write(LOG_LOST)
    if (listening.neighbour) host.stderr.write(neighbourWarning(listening.port))
    const login = service.loginLink()
    const mcp = endpointAddress(url)
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
    killIfStuck(host)
    await service.close()
  }
}

/** Maximum time to stop, in ms. */
const END_MS = 2000

/**
 * Ends the process even if a part of it hangs, such as a read from a disk that was removed. Node waits for such a read
 * even in `process.exit`. All acknowledged writes are on disk, and the next start does the work of closing.
 */
function killIfStuck(host: CommandProcess): void {
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

/** Warns that `localhost` may resolve to [::1], at which another program would receive the keys. */
function neighbourWarning(port: number): string {
  return (
    `Another program listens on [::1]:${port}. Use 127.0.0.1 instead of localhost in your editors: otherwise they may ` +
    'send your keys to that program.\n'
  )
}

/** Resolves after this number of minutes without a request. An open dashboard always has a request. */
async function untilIdle({ quietSince }: Listening, limit: number, { stderr }: CommandProcess): Promise<void> {
  for (;;) {
    const remaining = (quietSince() ?? Date.now()) + limit * 60_000 - Date.now()
    if (remaining <= 0) break
    await sleep(remaining, undefined, { ref: false })
  }
  stderr.write(`${new Date().toISOString()} No request for ${limit} minutes: the service stopped.\n`)
}

function untilSignal(host: CommandProcess): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.once(signal, () => resolve())
  })
}

function minutes(text: string): number {
  const number = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || number <= 0) throw new InvalidArgumentError('Give a number of minutes.')
  return number
}

const port = wholeNumber({ from: 0, to: 65_535, expected: 'Give a port from 0 to 65535.' })

/** Advice for old versions of Safari, which do not resolve names below `localhost`. */
const UNKNOWN_NAME = 'If your browser does not find the address, replace the name before the port with 127.0.0.1.'

export function loginCommand(host: CommandProcess): Command {
  return common(new Command('login'))
    .description('create a one-time login link for the running service’s dashboard')
    .action(async ({ data, ...options }: CommonOptions) => {
      assertFolder(data)
      if (!readServiceFile(prepareDataFolder(data))) throw notRunning()
      const link = await withConnection(data, async ({ api, running }) => {
        if (!running) throw notRunning()
        return read(await api['login-links'].$post())
      })
      print(host, options, link, link.login)
      if (!options.json && host.stderr.isTTY) host.stderr.write(`(${UNKNOWN_NAME})\n`)
    })
}

/** Maximum time that `stop` waits for the service to end, in ms. The service ends itself within END_MS. */
const STOP_MS = 10_000

export function stopCommand(host: CommandProcess): Command {
  return common(new Command('stop'))
    .description('stop the running Earmark of this library')
    .action(async ({ data, json }: CommonOptions) => {
      assertFolder(data)
      const folder = prepareDataFolder(data)
      const facts = readServiceFile(folder)
      if (!facts || !(await findRunning(folder))) throw notRunning()
      host.kill(facts.pid, 'SIGTERM')
      for (const deadline = Date.now() + STOP_MS; !(await isGone(facts)); await sleep(50)) {
        if (Date.now() < deadline) continue
        throw new Problem('library-in-use', `Earmark (process ${facts.pid}) did not stop. Quit it yourself.`)
      }
      print(host, { json }, { pid: facts.pid, stopped: true }, `Stopped Earmark (process ${facts.pid}).`)
    })
}

function notRunning(): Problem {
  return new Problem('service-unreachable', `Earmark is not running. ${howToStart()}`)
}

/** Time after which the file is removed, in ms. By then the browser has read it. */
const KEEP_MS = 60_000

/** If the program has not failed after this time, in ms, it has opened the page. */
const FAILED_MS = 3000

/** Programs that open a file or an address in the browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}

/**
 * Opens a login link in the system's browser. On Linux and macOS every user of the machine can see the arguments of a
 * program, so the browser gets a file that only its owner can read and that is removed after a minute. It is in the home
 * folder because browsers from Snap can read neither hidden folders nor folders of other users.
 *
 * @param opener the program that opens pages, and its arguments
 * @returns whether a browser was started, as far as is known
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
