import { join } from 'node:path'
import type { Ports } from './actions/ports.ts'
import type { Keychain, StartProcess, Web } from './contract/ports.ts'
import { openBrowsers } from './integrations/browser-hosts.ts'
import { openKeychain, openKeyFiles } from './keychain/keychain.ts'
import { createDecoder } from './web/decoder.ts'
import type { TestWire } from './web/guarded-agent.ts'
import { internet } from './web/internet.ts'

export interface PortOptions {
  /** The data folder, which exists and which only the owner can read. */
  data: string
  version: string
  startProcess: StartProcess
  /** Makes requests to the web; if absent, nothing is fetched. */
  web?: Web | 'internet' | undefined
  /** Replaces the system's keychain, for tests. */
  keychain?: Keychain
  /** Replaces the internet, for tests. */
  wire?: TestWire | undefined
  /** Replaces the clock, for tests: milliseconds since 1970. */
  now?: () => number
}

/** Opens everything that the actions work with, except the library. */
export function openPorts(options: PortOptions) {
  const { data, version, startProcess, wire } = options
  const decoder = createDecoder(startProcess, join(data, 'decoding'))
  const keychain = options.keychain ?? openKeychain(startProcess)
  const web = options.web === 'internet' ? internet({ version, decoder, wire }) : options.web
  const ports: Omit<Ports, 'library'> = {
    keychain,
    keyFiles: openKeyFiles(data),
    editors: async () => (await import('./integrations/editor-files.ts')).openEditors(data),
    markdownFolder: async (folder) =>
      (await import('./integrations/markdown-folder.ts')).openMarkdownFolder(data, folder),
    browsers: openBrowsers(data),
    formats: async () => (await import('./formats/import-process.ts')).openFormats(startProcess),
    syncFolders: async () => (await import('./sync/sync-folders.ts')).syncFolders,
    pictures: decoder,
    pageCopies: { convert: decoder.convertCopy },
    web,
    now: options.now ?? Date.now
  }
  return { ports, close: () => closeAll([web, decoder, keychain]) }
}

type Closable = { close(): unknown } | undefined

/** Closes all parts in this order, even if some fail. Then throws the first error. */
export async function closeAll(parts: Closable[]): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts) {
    try {
      await part?.close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
