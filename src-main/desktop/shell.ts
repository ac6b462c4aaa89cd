import { join } from 'node:path'
import { app, clipboard, session, type WebContents } from 'electron'
import type { CaptureFields, LaunchRequest } from '../contract/desktop.ts'
import type { Service } from '../service.ts'
import { answerCalls } from './answer-calls.ts'
import { createCapture } from './capture-window.ts'
import { createMenus, createTray } from './create-menus.ts'
import { createDashboard } from './dashboard-window.ts'
import { explainTray } from './dialogs.ts'
import { type Login, logIn } from './login.ts'
import { openPreferences } from './preferences.ts'
import { createSettings, createShortcut } from './settings.ts'
import { openLoginItem, openMenuItem } from './system-entries.ts'
import { isOnWayland, onClosing, trayShows } from './window-rules.ts'
import { openOutside, PARTITION } from './window-security.ts'

export interface ShellOptions {
  service: Service
  /** The dashboard's, as browsers know it. */
  origin: string
  /** The folder of what this desktop remembers. */
  profile: string
  /** The data folder where it is not the usual one. */
  data: string | undefined
  quit(): void
  quitting(): boolean
  onBug(error: unknown): void
  /** Called when a page was asked to go and stays. */
  onStays(): void
}

/**
 * Puts windows, tray, menus and shortcut around a running service.
 *
 * @returns what handles launch requests
 */
export async function openShell(options: ShellOptions): Promise<(request: LaunchRequest) => void> {
  const { service, origin, profile, data, quit, quitting, onBug, onStays } = options
  const { platform } = process
  const preferences = openPreferences(profile)
  const login = await logIn(service, origin)
  const dashboard = createDashboard({
    origin,
    state: () => preferences.read().window,
    onState: (window) => preferences.write({ window }),
    closing: () => onClosing({ platform, tray: settings.read().tray, quitting: quitting() }),
    onShown: () => void login.refresh(),
    onHidden: () => void explainOnce(),
    onGone: () => quitting() || quit(),
    onStays,
    quit
  })
  const capture = createCapture(origin)
  const tray = createTray(dashboard.show)
  const settings = createSettings({
    preferences,
    loginItem: openLoginItem(data),
    menuItem: openMenuItem(join(app.getAppPath(), 'resources/icon.png'), data),
    shortcut: createShortcut(() => openCapture()),
    findShortcut: createShortcut(() => openFind()),
    trayShows: trayShows(platform, process.env),
    shortcutByDesktop: isOnWayland(platform, process.env, process.argv),
    onChanged: (now) => showMenus(now)
  })

  function openCapture(fields?: CaptureFields): void {
    void login.refresh()
    capture.open(fields)
  }

  function openFind(): void {
    void login.refresh()
    capture.find()
  }

  async function explainOnce(): Promise<void> {
    if (!settings.read().tray || preferences.read().trayExplained) return
    preferences.write({ trayExplained: true })
    if (await explainTray(platform)) quit()
  }

  const showMenus = createMenus({ dashboard, tray, settings, openCapture, openFind, quit })
  renewWhenRefused(login, origin, () => dashboard.window()?.webContents, onBug)
  showMenus(settings.read())
  answerCalls({
    origin,
    dashboard: dashboard.window,
    capture: capture.window,
    copyText: (text) => clipboard.writeText(text),
    readSettings: settings.read,
    changeSettings: settings.change,
    closeCapture: capture.close,
    setCaptureView: capture.setView,
    openPage(url) {
      capture.close()
      openOutside(url)
    },
    readPicture: capture.readPicture,
    openBookmark(id) {
      capture.close()
      dashboard.showBookmark(id)
    }
  })

  return (request) => {
    if (request.kind === 'show') dashboard.show()
    if (request.kind === 'capture') openCapture(request.fields)
    if (request.kind === 'find') openFind()
  }
}

/**
 * A session that ended after all, perhaps while the machine slept, is begun anew, and the page with it: once, however much
 * the page asked for meanwhile.
 */
function renewWhenRefused(
  login: Login,
  origin: string,
  page: () => WebContents | undefined,
  onBug: (error: unknown) => void
): void {
  let renewing = false
  session.fromPartition(PARTITION).webRequest.onCompleted({ urls: [`${origin}/api/*`] }, (details) => {
    const contents = page()
    if (renewing || !contents || details.statusCode !== 401 || details.webContentsId !== contents.id) return
    renewing = true
    void login
      .renew()
      .then((begun) => (begun ? reload(contents) : undefined))
      .catch(onBug)
      .finally(() => {
        renewing = false
      })
  })
}

/** Loads a page anew, until it is there or known to be missing. */
function reload(contents: WebContents): Promise<void> {
  return new Promise((resolve) => {
    contents.once('did-stop-loading', () => resolve())
    contents.once('destroyed', () => resolve())
    contents.reload()
  })
}
