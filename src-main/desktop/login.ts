import { type Session, session, type WebContents } from 'electron'
import { SESSION_COOKIE } from '../contract/endpoint.ts'
import type { Service } from '../service.ts'
import { PARTITION } from './window-security.ts'

/** Age in ms after which a session is replaced. A session ends 12 hours after its last use. */
const MAX_AGE_MS = 6 * 3_600_000

/** Maximum time in ms in which answers to requests of the previous session still arrive. */
const LATE_MS = 30_000

/**
 * Logs the windows in, with a cookie in their partition and never a token in an address, and denies their pages every
 * permission. If the dashboard's page is refused, because its session ended while the machine slept, a new session
 * begins and the page is loaded again. Several refused requests cause only one new session.
 *
 * @param origin the dashboard's origin in browsers
 * @param page the dashboard's page, if it is open
 * @returns `refresh` begins a new session if the current one is old
 */
export async function logIn(
  service: Service,
  origin: string,
  page: () => WebContents | undefined,
  onBug: (error: unknown) => void
): Promise<{ refresh(): Promise<void> }> {
  const store = session.fromPartition(PARTITION)
  preventDictionaryDownload(store)
  store.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  store.setPermissionCheckHandler(() => false)
  store.setDevicePermissionHandler(() => false)
  let begunAt = 0
  let value = ''
  let renewing = false

  async function begin(): Promise<void> {
    value = await service.beginSession()
    await store.cookies.set({ url: origin, name: SESSION_COOKIE, value, httpOnly: true, sameSite: 'strict' })
    begunAt = Date.now()
  }

  async function renew(contents: WebContents): Promise<void> {
    // The refused request may have been sent before the current session began.
    if (Date.now() - begunAt < LATE_MS && (await service.hasSession(value))) return
    await begin()
    await reload(contents)
  }

  await begin()
  store.webRequest.onCompleted({ urls: [`${origin}/api/*`] }, ({ statusCode, webContentsId }) => {
    const contents = page()
    if (renewing || !contents || statusCode !== 401 || webContentsId !== contents.id) return
    renewing = true
    void renew(contents)
      .catch(onBug)
      .finally(() => {
        renewing = false
      })
  })
  return {
    refresh: async () => {
      if (Date.now() - begunAt > MAX_AGE_MS) await begin()
    }
  }
}

/** Resolves when the page is loaded or has failed to load. */
function reload(contents: WebContents): Promise<void> {
  return new Promise((resolve) => {
    contents.once('did-stop-loading', () => resolve())
    contents.once('destroyed', () => resolve())
    contents.reload()
  })
}

/** An address at which no program listens, and which Chromium never requests. */
const NO_SERVER = 'http://127.0.0.1:9/'

/**
 * Prevents Chromium from fetching a dictionary from Google, which its first session does except on macOS. All sessions
 * use the same address, but only after the current tick. The empty list of languages must be set for each
 * session.
 */
function preventDictionaryDownload(store: Session): void {
  store.setSpellCheckerDictionaryDownloadURL(NO_SERVER)
  store.setSpellCheckerLanguages([])
}
