import { fork } from 'node:child_process'
import { createReadStream, realpathSync } from 'node:fs'
import { delimiter, join, resolve, win32 } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import type { OwnProgram } from '../contract/own-program.ts'
import type { StartProcess } from '../contract/ports.ts'

export const { version, homepage } = manifest

/** The folder with package.json. In the packaged app it is inside the archive. */
const programFolder = join(import.meta.dirname, '../..')

/** The folder of the built dashboard. This file is either a source or in `out/main`. */
export const dashboardFolder = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../out/renderer')
  : join(import.meta.dirname, '../renderer')

/** Facts about how this program was started. `defaultApp` is true if Electron runs a folder instead of a packaged app. */
type Facts = Pick<NodeJS.Process, 'execPath' | 'env' | 'cwd' | 'platform'> & {
  versions: { electron?: string }
  defaultApp?: boolean
}

/**
 * Returns how another program starts Earmark's commands and reads their output. On Windows it needs `bin\earmark.cmd`
 * (see packaging/earmark.cmd). With `call`, cmd.exe does not remove the quotes around a path with spaces.
 */
export function ownProgram(facts: Facts = process): OwnProgram {
  const { platform, execPath } = facts
  const program = executable(facts)
  if (platform !== 'win32' || !program.packaged) return program
  return { command: 'cmd.exe', args: ['/d', '/c', 'call', commandFile(execPath)], packaged: true }
}

/** Returns the program itself. On Windows its output cannot be read. */
function executable(facts: Facts): OwnProgram {
  const { versions, defaultApp = false, execPath, env } = facts
  // `npm start` passes the Node that opened the window of a checkout: it starts commands faster than Electron.
  const node = versions.electron === undefined ? execPath : defaultApp && env.EARMARK_NODE
  if (node) return { command: node, args: [join(programFolder, 'out/main/earmark.js')], packaged: false }
  if (defaultApp) return { command: execPath, args: [programFolder], packaged: false }
  return { command: ownAppImage(facts) ?? execPath, args: [], packaged: true }
}

/** Returns the path of the command file, which the installer puts next to the executable. */
function commandFile(execPath: string): string {
  return win32.join(win32.dirname(execPath), 'bin', 'earmark.cmd')
}

/**
 * Returns the AppImage file that this program runs from, whose mount point changes with each start. A program started
 * from another AppImage inherits its `APPIMAGE`, but has its executable outside of its `APPDIR`.
 */
export function ownAppImage({ env, execPath }: Pick<Facts, 'env' | 'execPath'> = process): string | undefined {
  return env.APPIMAGE && env.APPDIR && execPath.startsWith(`${env.APPDIR}/`) ? env.APPIMAGE : undefined
}

/** Returns how a desktop starts the app: an AppImage by its file, a checkout by Electron and the folder. */
export function startCommand(app: { isPackaged: boolean; getAppPath(): string }, facts: Facts = process): string[] {
  const appImage = ownAppImage(facts)
  if (appImage) return [appImage]
  return app.isPackaged ? [facts.execPath] : [facts.execPath, app.getAppPath()]
}

/**
 * Arguments for Node when it serves; the scripts in package.json have the same. By default V8 reserves up to twice 64
 * MB for the newest objects of a busy thread, and never frees them. With 4 MB a service is as fast. Electron accepts
 * such flags only from the program that starts it.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4']

/** Returns how to start a service that continues after this process ends. */
export function serviceProgram(facts: Facts = process): OwnProgram {
  const { command, args, packaged } = executable(facts)
  const isNode = facts.versions.electron === undefined
  return { command, args: isNode ? [...NODE_FLAGS, ...args] : args, packaged }
}

/**
 * A command in a message, such as `earmark doctor`. The product's name does not match, because of its capital letter.
 */
const COMMAND =
  /\bearmark (?=(?:serve|stop|keys|connect|organizations|sync|add|import|imports|export|backup|restore|doctor|search|show|edit|tag|delete|undo|duplicates|check-links|login|mcp-stdio)\b)/g

/** Writes each command in a message as a person types it for this program in the current folder. */
export function asTyped(message: string, facts: Facts = process): string {
  return message.replaceAll(COMMAND, () => `${typed(facts)} `)
}

function typed(facts: Facts): string {
  const { command, packaged } = executable(facts)
  if (packaged) return quoted(facts.platform === 'win32' ? commandFile(facts.execPath) : command, facts.platform)
  if (isLinked(facts.env.PATH)) return 'earmark'
  // npm changes to the package's folder, and passes the folder in which a person called it.
  const here = facts.env.INIT_CWD ?? facts.cwd()
  return isProgramFolder(here)
    ? 'npm run -s earmark --'
    : `npm --prefix ${quoted(programFolder, facts.platform)} run -s earmark --`
}

/** Whether `npm link` has added this program to the PATH. The link points to the file that package.json names. */
function isLinked(path = ''): boolean {
  const own = join(programFolder, manifest.bin.earmark)
  return path.split(delimiter).some((folder) => {
    try {
      return realpathSync(join(folder, 'earmark')) === realpathSync(own)
    } catch {
      return false
    }
  })
}

function isProgramFolder(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync(resolve(programFolder))
  } catch {
    return false
  }
}

/** Quotes a path for a shell of this system. */
export function quoted(path: string, platform = process.platform): string {
  if (!/[^\w/\\:.@+-]/.test(path)) return path
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}

/** Returns the advice for a person if no service runs. */
export function howToStart(facts: Facts = process): string {
  return ownProgram(facts).packaged ? 'Open Earmark, and try again.' : 'Start it with npm start, and try again.'
}

/** Starts a child process with Node's `fork`. */
export const startNodeProcess: StartProcess = (program) => {
  const file = fileURLToPath(new URL(`./${program}.js`, import.meta.url))
  const child = fork(file, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [], serialization: 'advanced' })
  return {
    send: (request) => child.send(request as object, () => {}),
    onReply(listener) {
      child.on('message', (reply) => listener(reply as Parameters<typeof listener>[0]))
      // `exit` may come before the last message: 5 of 650 processes that answered and exited, started eight at a time.
      child.once('close', () => listener(undefined))
      child.once('error', () => listener(undefined))
    },
    kill: () => child.kill('SIGKILL')
  }
}

let start: StartProcess = startNodeProcess

/** Replaces `fork`, which Electron's packaged app cannot use. Called once, before a library is opened. */
export function startProcessesWith(other: StartProcess): void {
  start = other
}

/** Starts a child process: Node's, or the one that `startProcessesWith` set. */
export const startProcess: StartProcess = (program) => start(program)

/**
 * The standard input of this program. On Windows, Electron replaces `process.stdin` with a stream that has already ended
 * (lib/common/init.ts; electron/electron#4218, #21705). The file descriptor itself can be read if it is a pipe or a file.
 */
export function standardInput({ stdin }: { stdin: Readable } = process): Readable {
  const closed = process.platform === 'win32' && process.versions.electron !== undefined
  return closed ? createReadStream('', { fd: 0, autoClose: false }) : stdin
}
