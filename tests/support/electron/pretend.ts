import { writeSync } from 'node:fs'
import { Readable } from 'node:stream'

/** What this process is taken for. Only the app is told so: Node and packages go on as what they are. */
export const platform = (process.env.STAND_IN_PLATFORM ?? process.platform) as NodeJS.Platform

export const onWayland = platform === 'linux' && process.env.XDG_SESSION_TYPE === 'wayland'

const real = process.platform
if (platform !== real) {
  Object.defineProperty(process, 'platform', { configurable: true, get: () => (askedByApp() ? platform : real) })
}

/** Three frames up from here is who read the property. */
function askedByApp(): boolean {
  return new Error().stack?.split('\n')[3]?.includes('/out/main/') ?? false
}

Object.defineProperty(process.versions, 'electron', { value: '45.4.1', enumerable: true })

if (platform === 'win32') {
  // Before any JavaScript (electron_main_win.cc; BasicStartupComplete in electron_main_delegate.cc).
  if (refused(process.argv.slice(2))) process.exit(255)
  writeSync(1, '\r\n')
  // lib/common/init.ts of Electron.
  const ended = new Readable()
  ended.push(null)
  Object.defineProperty(process, 'stdin', { configurable: false, enumerable: true, get: () => ended })
}

/** Whether something follows an argument that looks like an address (CheckCommandLineArguments in command_line_args.cc). */
function refused(args: string[]): boolean {
  const end = args.indexOf('--')
  const checked = end < 0 ? args : args.slice(0, end)
  const address = checked.findIndex((one) => /^[A-Za-z][^:\s]+:/.test(one))
  return address >= 0 && address < checked.length - 1
}

// What Electron's executable is there is here Node with the program's file.
const { execve } = process
const program = process.argv[1] ?? ''
if (execve) {
  process.execve = (file, args = [], env) => {
    const [name = '', ...rest] = args
    const given = process.env.STAND_IN_PACKAGED === '1' ? rest : rest.slice(1)
    return execve(file, [name, ...process.execArgv, program, ...given], env)
  }
}

/**
 * Chromium chooses its window system from the arguments before the app's code runs, and ends where there is none
 * (PreSandboxStartup in electron_main_delegate.cc; ozone_platform_x11.cc).
 */
export function requireDisplay(args: string[] = process.argv): void {
  if (platform !== 'linux' || args.includes('--ozone-platform=headless')) return
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return
  process.stderr.write('Missing X server or $DISPLAY\nThe platform failed to initialize.  Exiting.\n')
  process.exit(1)
}
