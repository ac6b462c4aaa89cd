import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, shell } from 'electron'
import { LaunchRequest } from '../contract/desktop.ts'
import { originOf, programOrigin } from '../contract/endpoint.ts'
import { Problem } from '../contract/problem.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { logBug } from '../host/log.ts'
import { LibraryLost, openOrFind, restoreBackup, startEmptyLibrary } from '../host/open-library.ts'
import { asTyped } from '../host/own-program.ts'
import { removeServiceFile, writeServiceFile } from '../host/service-file.ts'
import type { Service } from '../service.ts'
import { askAboutStart, confirmEmpty, showBug, type Way, warnAboutKeys } from './dialogs.ts'
import { type AppLaunch, captureRequest } from './launch.ts'
import { openShell } from './shell.ts'

/** Maximum time to close, in ms. Then the app exits, because everything saved is on disk. */
const CLOSE_MS = 2000

/** The exit code after a dialog explained why Earmark cannot start. cli/runtime.js then prints no explanation. */
const EXPLAINED_IN_DIALOG = 3

/** Runs the app until its owner quits. If it runs already for this library, passes the request to it and ends. */
export async function runApp({ data: chosen, port, fetches, request }: AppLaunch): Promise<void> {
  const data = prepareDataFolder(chosen)
  const profile = join(data, 'desktop')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  app.setAppUserModelId('app.earmark.Earmark')
  // Resolves the name without [::1], at which another program may listen.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP *.localhost 127.0.0.1')
  if (!app.requestSingleInstanceLock(request)) return app.quit()
  const onBug = handleUncaughtErrors(logBug(data))

  const requests = new LaunchRequests()
  app.on('second-instance', (_event, _args, _folder, given) => {
    requests.add(LaunchRequest.catch({ kind: 'show' }).parse(given))
  })
  app.on('open-url', (event, link) => {
    event.preventDefault()
    requests.add(captureRequest(link) ?? { kind: 'show' })
  })
  app.on('activate', () => requests.add({ kind: 'show' }))
  // Without a listener Electron would quit; see `onClosing`.
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
  serving = await serveLibrary(data, port, fetches)
  if (!serving) return app.exit(EXPLAINED_IN_DIALOG)
  if (quitting) return end(serving, data)
  const { service } = serving
  const origin = originOf(service.dashboardHost, serving.port)
  await writeServiceFile(data, { url: programOrigin(serving.port), token: service.commandToken, pid: process.pid })
  const options = {
    service,
    origin,
    profile,
    data: chosen === undefined ? undefined : data,
    quit: () => app.quit(),
    quitting: () => quitting,
    onBug,
    onStays: () => (quitting = false)
  }
  const handle = await openShell(options).catch((error) => {
    logBug(data)(error)
    throw error
  })
  handle(openedAtLogin() ? { kind: 'stay-hidden' } : request)
  requests.handleWith(handle)
}

interface Serving {
  service: Service
  port: number
}

/** Opens and serves the library. If that fails, asks what to do; `undefined` if the person quits. */
async function serveLibrary(data: string, chosen: number | undefined, fetches: boolean): Promise<Serving | undefined> {
  let port = chosen
  let portChanged = false
  let recover: (() => Promise<unknown>) | undefined
  for (;;) {
    try {
      await recover?.()
      const serving = await attempt(data, port, fetches)
      if (portChanged) await rememberPort(serving)
      return serving
    } catch (error) {
      logBug(data)(error)
      const way = await askAboutStart(error)
      recover = recoveryBy(way, error, data)
      if (way === 'quit') return undefined
      if (way === 'show-folder') await shell.openPath(data)
      if (way === 'other-port') {
        portChanged = true
        port = 0
      }
    }
  }
}

/** Returns the step to take before the next attempt. */
function recoveryBy(way: Way, error: unknown, data: string): (() => Promise<unknown>) | undefined {
  const backup = error instanceof LibraryLost ? error.recovery.backup : null
  if (way === 'restore' && backup)
    return async () => {
      const { keysUnknown } = await restoreBackup(data, backup.path)
      if (keysUnknown) await warnAboutKeys()
    }
  if (way === 'start-empty') return async () => (await confirmEmpty()) && startEmptyLibrary(data)
  return undefined
}

async function attempt(data: string, chosen: number | undefined, fetches: boolean): Promise<Serving> {
  const opened = await openOrFind(data, { fetches })
  if ('running' in opened) {
    throw new Problem(
      'library-in-use',
      `Earmark already runs in a terminal (process ${opened.running.pid}). Stop it there with Ctrl-C, or run ` +
        `${asTyped('earmark login')} for a link that opens its dashboard in a browser.`
    )
  }
  const { service } = opened
  try {
    const { port } = await service.listen(chosen)
    return { service, port }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** Saves the port that the person agreed to, because editors are configured with a fixed address. */
async function rememberPort({ service, port }: Serving): Promise<void> {
  const response = await service.fetch(
    new Request(`http://127.0.0.1:${port}/api/settings`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ port })
    })
  )
  if (!response.ok) throw new Error(`The port could not be saved: ${response.status}`)
}

/** Shows why the app cannot start, and ends it. */
export async function showStartFailure(error: unknown): Promise<void> {
  await app.whenReady()
  await askAboutStart(error)
  app.exit(EXPLAINED_IN_DIALOG)
}

/** Stores the requests that arrive before the shell is open. */
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

/** Whether macOS started the app at login, which passes no arguments. */
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
 * Keeps the app running after an uncaught error. Each error is logged, and for the first one a dialog asks whether to
 * quit. All acknowledged writes are on disk, the store rolls back incomplete writes, and an error in a window or a menu
 * is no reason to stop serving. Electron itself would show the stack of each error.
 *
 * @returns a function that reports such an error
 */
function handleUncaughtErrors(log: (error: unknown) => void): (error: unknown) => void {
  let shown = false

  function onBug(error: unknown): void {
    log(error)
    if (shown) return
    shown = true
    void app
      .whenReady()
      .then(showBug)
      .then((end) => end && app.quit())
  }

  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  return onBug
}
