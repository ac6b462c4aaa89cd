import { join } from 'node:path'
import type { WebPreferences } from 'electron'

export const PARTITION = 'persist:earmark'

/** The permissions of every window's page: those of a browser, and the functions of its preload. */
export function webPreferences(preload: 'dashboard' | 'capture'): WebPreferences {
  return {
    partition: PARTITION,
    preload: join(import.meta.dirname, `../preload/${preload}.cjs`),
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false
  }
}
