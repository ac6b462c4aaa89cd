import { realpathSync } from 'node:fs'
import { join, resolve, win32 } from 'node:path'
import type { OwnProgram } from '../contract/own-program.ts'

/** The facts that tell in which form this program runs; `defaultApp` is Electron's word for running a folder. */
type Facts = Pick<NodeJS.Process, 'execPath' | 'env' | 'cwd' | 'platform'> & {
  versions: { electron?: string }
  defaultApp?: boolean
}

/**
 * How another program starts this one's commands, and reads what they write. On Windows that takes `bin\\earmark.cmd`
 * (packaging/earmark.cmd says why). `call` keeps cmd.exe from taking away the quotes around a path with spaces.
 */
export function ownProgram(facts: Facts = process): OwnProgram {
  const { platform, execPath } = facts
  const program = executable(facts)
  if (platform !== 'win32' || !program.packaged) return program
  return { command: 'cmd.exe', args: ['/d', '/c', 'call', commandFile(execPath)], packaged: true }
}

/** The program itself: for what is started and not listened to. */
function executable(facts: Facts): OwnProgram {
  const { versions, defaultApp = false, execPath, env } = facts
  // The window of a checkout was started by Node, which answers a command sooner, and is told of in `npm start`.
  const node = versions.electron === undefined ? execPath : defaultApp && env.EARMARK_NODE
  if (node) return { command: node, args: [join(programFolder, 'out/main/earmark.js')], packaged: false }
  if (defaultApp) return { command: execPath, args: [programFolder], packaged: false }
  return { command: ownAppImage(facts) ?? execPath, args: [], packaged: true }
}

/** Where the installer puts it, beside the executable. */
function commandFile(execPath: string): string {
  return win32.join(win32.dirname(execPath), 'bin', 'earmark.cmd')
}

/**
 * The AppImage this program runs from: it is mounted somewhere else each time, so its file counts. A program started from
 * within another AppImage inherits that one's `APPIMAGE`, but does not lie in its `APPDIR`.
 */
export function ownAppImage({ env, execPath }: Pick<Facts, 'env' | 'execPath'> = process): string | undefined {
  return env.APPIMAGE && env.APPDIR && execPath.startsWith(`${env.APPDIR}/`) ? env.APPIMAGE : undefined
}

/** Returns how a desktop starts the app: an AppImage by its own file, a checkout by Electron and its folder. */
export function startCommand(app: { isPackaged: boolean; getAppPath(): string }, facts: Facts = process): string[] {
  const appImage = ownAppImage(facts)
  if (appImage) return [appImage]
  return app.isPackaged ? [facts.execPath] : [facts.execPath, app.getAppPath()]
}

/**
 * The arguments for Node when it serves; the scripts in package.json have the same. V8 keeps up to 64 MB twice over for
 * the newest objects of a busy thread and gives none of it back; with 4 MB a service is no slower. Electron takes such
 * flags only from the program that starts the app, and keeps half as much.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4']

/** How to start a service, which goes on. */
export function serviceProgram(facts: Facts = process): OwnProgram {
  const { command, args, packaged } = executable(facts)
  const isNode = facts.versions.electron === undefined
  return { command, args: isNode ? [...NODE_FLAGS, ...args] : args, packaged }
}

/** A message with each command it names as a person types it for this program, where they are. */
export function asTyped(message: string, facts: Facts = process): string {
  return message.replaceAll(COMMAND, () => `${typed(facts)} `)
}

/** Where nothing runs, what to do about it. */
export function howToStart(facts: Facts = process): string {
  return ownProgram(facts).packaged ? 'Open Earmark, and try again.' : 'Start it with npm start, and try again.'
}

function typed(facts: Facts): string {
  const { command, packaged } = executable(facts)
  if (packaged) return quoted(facts.platform === 'win32' ? commandFile(facts.execPath) : command, facts.platform)
  // npm goes to the folder of the package, and says where it was called.
  const here = facts.env.INIT_CWD ?? facts.cwd()
  return isProgramFolder(here)
    ? 'npm run -s earmark --'
    : `npm --prefix ${quoted(programFolder, facts.platform)} run -s earmark --`
}

function isProgramFolder(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync(resolve(programFolder))
  } catch {
    return false
  }
}

/** Returns a path as a shell of this system reads it. */
export function quoted(path: string, platform = process.platform): string {
  if (!/[^\w/\\:.@+-]/.test(path)) return path
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}

/** Everywhere else a command is named as `earmark doctor`; Earmark itself is written with a capital. */
const COMMAND =
  /\bearmark (?=(?:serve|keys|connect|organizations|sync|add|import|export|backup|restore|doctor|search|duplicates|check-links|login|mcp-stdio)\b)/g

import manifest from '../../package.json' with { type: 'json' }

export const { version, homepage } = manifest

/** The folder that holds package.json; within the packaged app, the one in its archive. */
const programFolder = join(import.meta.dirname, '../..')

/** From the sources and from `out/main` alike, the built dashboard is two or fewer folders up, in `out/renderer`. */
export const dashboardFolder = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../out/renderer')
  : join(import.meta.dirname, '../renderer')
