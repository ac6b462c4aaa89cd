import { session, type WebContents } from 'electron'
import type { Login } from './login.ts'
import { PARTITION } from './web-preferences.ts'

/**
 * A session that ended after all, perhaps while the machine slept, is begun anew, and the page with it: once, however much
 * the page asked for meanwhile.
 */
export function renewWhenRefused(
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
      .then(() => reload(contents))
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
