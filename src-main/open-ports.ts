import { join } from 'node:path'
import type { Ports } from './actions/ports.ts'
import type { ChangeEmitter } from './contract/change.ts'
import type { Keychain, StartProcess, Web } from './contract/ports.ts'
import { lockLibrary } from './database/lock.ts'
import { openBrowsers } from './integrations/browser-hosts.ts'
import { openKeyFiles } from './keychain/key-files.ts'
import { openKeychain } from './keychain/keychain.ts'
import { openLibrary } from './store/open-library.ts'
import { createDecoder } from './web/decoder.ts'
import type { TestWire } from './web/guarded-agent.ts'
import { internet } from './web/internet.ts'

export interface PortOptions {
  /** The data folder, which exists and which only the owner can read. */
  data: string
  version: string
  startProcess: StartProcess
  /** Called as soon as no other process can have the library open. */
  onLocked?: () => void
  /** Where pages are fetched from; without it nothing is fetched. */
  web?: Web | 'internet' | undefined
  /** Starts no threads: for a short command. */
  inPlace?: boolean
  /** Replaces the system's keychain, for tests. */
  keychain?: Keychain
  /** Replaces the internet, for tests. */
  wire?: TestWire | undefined
  /** Replaces the clock, for tests: milliseconds since 1970. */
  now?: () => number
}

/**
 * Locks and opens the library, and opens everything else that the actions work with.
 *
 * @throws Problem if the library is in use, damaged, foreign or from a newer Earmark
 */
export async function openPorts(options: PortOptions, { emit }: ChangeEmitter) {
  const { data, version, startProcess, inPlace = false, wire } = options
  const unlock = lockLibrary(data)
  options.onLocked?.()
  const library = await openLibrary(data, { inPlace, emit }).catch((error) => {
    unlock()
    throw error
  })
  const decoder = createDecoder(startProcess, join(data, 'decoding'))
  const keychain = options.keychain ?? openKeychain(startProcess)
  const web = options.web === 'internet' ? internet({ version, decoder, wire }) : options.web
  const ports: Ports = {
    library,
    keychain,
    keyFiles: openKeyFiles(data),
    editors: async () => (await import('./integrations/editor-files.ts')).openEditors(data),
    browsers: openBrowsers(data),
    formats: async () => (await import('./formats/import-process.ts')).openFormats(startProcess),
    syncFolders: async () => (await import('./sync/sync-folders.ts')).syncFolders,
    pictures: decoder,
    web,
    now: options.now ?? Date.now
  }
  return { ports, close: (users: Closable[]) => closeAll([...users, web, decoder, keychain, library]).finally(unlock) }
}

type Closable = { close(): unknown } | undefined

/** Closes one after the other. If some fail, the others are closed all the same, and the first error is thrown. */
async function closeAll(parts: Closable[]): Promise<void> {
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
