import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OwnProgram } from '../contract/own-program.ts'
import { programFolder } from './package-facts.ts'

/** What tells in which form this program runs; `defaultApp` is Electron's word for running a folder. */
type Facts = Pick<NodeJS.Process, 'execPath' | 'env' | 'cwd'> & {
  versions: { electron?: string }
  defaultApp?: boolean
}

/** How to start this program's commands. An AppImage runs from a place that is gone with it, so its own file counts. */
export function ownProgram({ versions, defaultApp = false, env, execPath }: Facts = process): OwnProgram {
  if (versions.electron === undefined) {
    return { command: execPath, args: [join(programFolder, 'out/main/earmark.js')], packaged: false }
  }
  if (defaultApp) return { command: execPath, args: [programFolder], packaged: false }
  return { command: env.APPIMAGE || execPath, args: [], packaged: true }
}

/**
 * What Node is told where it is to serve; the scripts in package.json tell it the same. V8 keeps up to 64 MB twice over for
 * the newest objects of a busy thread and gives none of it back; with 4 MB a service is no slower. Electron takes such
 * flags from whoever starts the app alone, and keeps half as much.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4']

/** How to start a service, which goes on. */
export function serviceProgram(facts: Facts = process): OwnProgram {
  const { command, args, packaged } = ownProgram(facts)
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
  const { command, packaged } = ownProgram(facts)
  if (packaged) return quoted(command)
  // npm goes to the folder of the package, and says where it was called.
  const here = facts.env.INIT_CWD ?? facts.cwd()
  return isProgramFolder(here) ? 'npm run -s earmark --' : `npm --prefix ${quoted(programFolder)} run -s earmark --`
}

function isProgramFolder(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync(resolve(programFolder))
  } catch {
    return false
  }
}

/** As any shell reads it. */
function quoted(path: string): string {
  return /[^\w/\\:.@+-]/.test(path) ? `"${path}"` : path
}

/** Everywhere else a command is named as `earmark doctor`; Earmark itself is written with a capital. */
const COMMAND = /\bearmark (?=(?:serve|keys|connect|login|backup|restore|doctor|mcp-stdio)\b)/g
