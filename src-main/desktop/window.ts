import { BrowserWindow, session, shell } from 'electron'

const PARTITION = 'persist:earmark'

/**
 * Opens the window on the dashboard, logged in. It can go nowhere else: foreign pages open in the system's browser.
 *
 * @param url the service's origin
 */
export async function openWindow(url: string, sessionSecret: string): Promise<BrowserWindow> {
  const store = session.fromPartition(PARTITION)
  store.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  store.setPermissionCheckHandler(() => false)
  await store.cookies.set({
    url,
    name: `earmark_${new URL(url).port}`,
    value: sessionSecret,
    httpOnly: true,
    sameSite: 'strict'
  })
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    title: 'Earmark',
    webPreferences: {
      partition: PARTITION,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      nodeIntegration: false,
      webviewTag: false
    }
  })
  const { webContents } = window
  const stay = (event: { preventDefault(): void; url: string }) => {
    if (new URL(event.url).origin !== url) event.preventDefault()
  }
  webContents.on('will-navigate', stay)
  webContents.on('will-redirect', stay)
  webContents.on('will-frame-navigate', stay)
  webContents.setWindowOpenHandler((details) => {
    if (/^https?:/.test(details.url)) void shell.openExternal(details.url)
    return { action: 'deny' }
  })
  await window.loadURL(url)
  return window
}
