import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { LaunchRequest } from '../contract/desktop.ts'
import { originOf, programOrigin } from '../contract/endpoint.ts'
import { startProcessesWith } from '../host/child-process.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { logBug } from '../host/log.ts'
import { leaveServiceFile, removeServiceFile } from '../host/service-file.ts'
import { startUtilityProcess } from './child-process.ts'
import { askAboutStart, tellBug } from './dialogs.ts'
import type { AppLaunch } from './launch.ts'
import { captureRequest } from './launch.ts'
import { type Serving, serveLibrary } from './serve-library.ts'
import { openShell } from './shell.ts'

/** If closing takes longer than this, in milliseconds, the app exits anyway: what was saved is on disk already. */
const CLOSE_MS = 2000

/** The exit code after a dialog has told why Earmark cannot start: `npm start` need not tell it again (cli/runtime.js). */
const TOLD_IN_DIALOG = 3

/** Runs the app until its owner quits. One runs for a library; a second one hands over its request and ends. */
export async function runApp({ data: chosen, port, fetches, request }: AppLaunch): Promise<void> {
  const data = prepareDataFolder(chosen)
  const profile = join(data, 'desktop')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  app.setAppUserModelId('app.earmark.Earmark')
  // Never [::1], which another program may have.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP *.localhost 127.0.0.1')
  if (!app.requestSingleInstanceLock(request)) return app.quit()
  const onBug = outliveBugs(logBug(data))

  const requests = new LaunchRequests()
  app.on('second-instance', (_event, _args, _folder, given) => {
    requests.add(LaunchRequest.catch({ kind: 'show' }).parse(given))
  })
  app.on('open-url', (event, link) => {
    event.preventDefault()
    requests.add(captureRequest(link) ?? { kind: 'show' })
  })
  app.on('activate', () => requests.add({ kind: 'show' }))
  // Closing windows has rules of its own; see onClosing.
  app.on('window-all-closed', () => {})
  if (app.isPackaged) app.setAsDefaultProtocolClient('earmark')

  let serving: Serving | undefined
  let quitting = false
  app.on('before-quit', () => (quitting = true))
  app.on('will-quit', (event) => {
    if (!serving) return
    event.preventDefault()
    void end(serving, data)
  })

  await app.whenReady()
  startProcessesWith(startUtilityProcess)
  serving = await serveLibrary(data, port, fetches)
  if (!serving) return app.exit(TOLD_IN_DIALOG)
  if (quitting) return end(serving, data)
  const { service } = serving
  const origin = originOf(service.dashboardHost, serving.port)
  leaveServiceFile(data, { url: programOrigin(serving.port), token: service.commandToken, pid: process.pid })
  const shell = {
    service,
    origin,
    profile,
    data: chosen === undefined ? undefined : data,
    quit: () => app.quit(),
    quitting: () => quitting,
    onBug,
    onStays: () => (quitting = false)
  }
  const handle = await openShell(shell).catch((error) => {
    logBug(data)(error)
    throw error
  })
  handle(openedAtLogin() ? { kind: 'stay-hidden' } : request)
  requests.handleWith(handle)
}

/** Says what kept the app from starting, and ends it. */
export async function giveUp(error: unknown): Promise<void> {
  await app.whenReady()
  await askAboutStart(error)
  app.exit(TOLD_IN_DIALOG)
}

/** LaunchRequests that come before they can be granted wait. */
class LaunchRequests {
  private readonly waiting: LaunchRequest[] = []
  private handle: ((request: LaunchRequest) => void) | undefined

  add(request: LaunchRequest): void {
    if (this.handle) this.handle(request)
    else this.waiting.push(request)
  }

  handleWith(handle: (request: LaunchRequest) => void): void {
    this.handle = handle
    for (const request of this.waiting.splice(0)) handle(request)
  }
}

/** macOS passes no arguments to what it starts at login. */
function openedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

async function end({ service }: Serving, data: string): Promise<void> {
  setTimeout(() => app.exit(1), CLOSE_MS)
  removeServiceFile(data)
  await service.close()
  app.exit(0)
}

/**
 * An error that nobody caught does not end the app: it is logged and told once, and its owner decides. What was acknowledged
 * is on disk, and the store undoes what it could not finish; a window's or a menu's fault is no reason to stop serving.
 * Electron itself would show the stack of each.
 *
 * @returns what to call with such an error
 */
function outliveBugs(log: (error: unknown) => void): (error: unknown) => void {
  let told = false

  function onBug(error: unknown): void {
    log(error)
    if (told) return
    told = true
    void app
      .whenReady()
      .then(tellBug)
      .then((end) => end && app.quit())
  }

  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  return onBug
}
