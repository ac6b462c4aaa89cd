import { join } from 'node:path'
import { app, type BrowserWindow, clipboard, type IpcMainInvokeEvent, ipcMain } from 'electron'
import { z } from 'zod'
import { LIMITS } from '../contract/bookmark.ts'
import { type CaptureFields, CaptureView, DesktopChange, type LaunchRequest } from '../contract/desktop.ts'
import { programOrigin } from '../contract/endpoint.ts'
import { pickLanguage } from '../contract/languages.ts'
import { Settings } from '../contract/settings.ts'
import type { Service } from '../service.ts'
import { createCapture } from './capture-window.ts'
import { CALLS } from './channels.ts'
import { createDashboard } from './dashboard-window.ts'
import { explainTray } from './dialogs.ts'
import { logIn } from './login.ts'
import { MENU_TEXTS, type MenuTexts } from './menu-texts.ts'
import { createMenus, createTray } from './menus.ts'
import { createSettings, createShortcut, openPreferences } from './settings.ts'
import { openLoginItem, openMenuItem } from './system-entries.ts'
import { isOnWayland, onClosing, trayShows } from './window-rules.ts'
import { openOutside } from './window-security.ts'

interface ShellOptions {
  service: Service
  /** The dashboard's origin in browsers. */
  origin: string
  /** The folder with the preferences of this desktop. */
  profile: string
  /** The data folder if it is not the default. */
  data: string | undefined
  quit(): void
  quitting(): boolean
  onBug(error: unknown): void
  /** Called if the owner decides that a page stays open, although Earmark was quitting. */
  onStays(): void
}

/**
 * Opens windows, tray, menus and shortcuts around a running service.
 *
 * @returns a function that handles launch requests
 */
export async function openShell(options: ShellOptions): Promise<(request: LaunchRequest) => void> {
  const { service, origin, profile, data, quit, quitting, onBug, onStays } = options
  const { platform } = process
  const preferences = openPreferences(profile)
  const login = await logIn(service, origin, () => dashboard.window()?.webContents, onBug)
  let texts = await readMenuTexts(service, origin)
  const dashboard = createDashboard({
    origin,
    texts: () => texts,
    state: () => preferences.read().window,
    onState: (window) => preferences.write({ window }),
    closing: () => onClosing({ platform, tray: settings.read().tray, quitting: quitting() }),
    onShown: () => void login.refresh(),
    onLoaded: () => void followLanguage().catch(onBug),
    onHidden: () => void explainOnce(),
    onGone: () => quitting() || quit(),
    onStays,
    quit
  })
  const capture = createCapture(origin, () => texts)
  const tray = createTray(dashboard.show)
  const settings = createSettings({
    preferences,
    loginItem: openLoginItem(data),
    menuItem: openMenuItem(join(app.getAppPath(), 'resources/icon.png'), data),
    shortcut: createShortcut(() => openCapture()),
    findShortcut: createShortcut(() => openFind()),
    trayShows: trayShows(platform, process.env),
    shortcutByDesktop: isOnWayland(platform, process.env, process.argv),
    onChanged: (changed) => updateMenus(changed)
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

  async function followLanguage(): Promise<void> {
    const chosen = await readMenuTexts(service, origin)
    if (chosen === texts) return
    texts = chosen
    updateMenus(settings.read())
    capture.window()?.webContents.reload()
  }

  const updateMenus = createMenus({ dashboard, tray, settings, texts: () => texts, openCapture, openFind, quit })
  updateMenus(settings.read())

  const fromDashboard = answerFrom(origin, dashboard.window)
  fromDashboard(CALLS.copyText, z.tuple([z.string().max(MAX_TEXT_LENGTH)]), (text) => clipboard.writeText(text))
  fromDashboard(CALLS.readSettings, z.tuple([]), settings.read)
  fromDashboard(CALLS.changeSettings, z.tuple([DesktopChange]), settings.change)
  const fromCapture = answerFrom(origin, capture.window)
  fromCapture(CALLS.closeCapture, z.tuple([]), capture.close)
  fromCapture(CALLS.setCaptureView, z.tuple([CaptureView]), capture.setView)
  fromCapture(CALLS.copyResult, z.tuple([z.string().max(MAX_TEXT_LENGTH)]), (text) => clipboard.writeText(text))
  fromCapture(CALLS.readPicture, z.tuple([]), capture.readPicture)
  fromCapture(CALLS.openPage, z.tuple([z.string().max(LIMITS.url)]), (url) => {
    capture.close()
    openOutside(url)
  })
  fromCapture(CALLS.openBookmark, z.tuple([z.string().min(1).max(64)]), (id) => {
    capture.close()
    dashboard.showBookmark(id)
  })

  return (request) => {
    if (request.kind === 'show') dashboard.show()
    if (request.kind === 'capture') openCapture(request.fields)
    if (request.kind === 'find') openFind()
  }
}

/** Maximum length of copied text, in UTF-16 code units. A text bookmark has the same limit. */
const MAX_TEXT_LENGTH = 100_000

/** Answers the calls of one window's page. Calls from any other sender, or with invalid arguments, are refused. */
function answerFrom(origin: string, window: () => BrowserWindow | undefined) {
  return <A extends unknown[]>(channel: string, schema: z.ZodType<A>, answer: (...args: A) => unknown): void => {
    ipcMain.handle(channel, (event, ...given: unknown[]) => {
      if (!comesFrom(event, window(), origin)) throw new Error(`${channel}: not for this sender`)
      const args = schema.safeParse(given)
      if (!args.success) throw new Error(`${channel}: not these arguments`)
      return answer(...args.data)
    })
  }
}

/** Whether a call is from Earmark's page in this window, not from a frame in it or a page of another origin. */
function comesFrom({ sender, senderFrame }: IpcMainInvokeEvent, window: BrowserWindow | undefined, origin: string) {
  return (
    window !== undefined &&
    sender === window.webContents &&
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    senderFrame.origin === origin
  )
}

/**
 * Returns the texts in the language chosen in Settings, or in the system's.
 *
 * @param origin the dashboard's origin
 */
async function readMenuTexts(service: Service, origin: string): Promise<MenuTexts> {
  const response = await service.fetch(
    new Request(`${programOrigin(new URL(origin).port)}/api/settings`, {
      headers: { authorization: `Bearer ${service.commandToken}` }
    })
  )
  const { language } = Settings.parse(await response.json())
  return MENU_TEXTS[language === 'system' ? pickLanguage(app.getPreferredSystemLanguages()) : language]
}
