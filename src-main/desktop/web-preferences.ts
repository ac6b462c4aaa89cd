import { join } from 'node:path'
import type { WebPreferences } from 'electron'

export const PARTITION = 'persist:earmark'

/** What every window's page may do: no more than in a browser, and what its preload offers. */
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
