import type { Browsers, Editors, Formats, Keychain, KeyFiles, Pictures, Web } from '../contract/ports.ts'
import type { SyncFolders } from '../contract/sync.ts'
import type { Library } from '../store/open-library.ts'

/** Everything that actions use. */
export interface Ports {
  library: Library
  keychain: Keychain
  keyFiles: KeyFiles
  /** These three are loaded when they are first used, because their parsers are large. */
  editors(): Promise<Editors>
  formats(): Promise<Formats>
  syncFolders(): Promise<SyncFolders>
  browsers: Browsers
  pictures: Pictures
  /** Absent if nothing may be fetched. */
  web?: Web
  /** Milliseconds since 1970. */
  now: () => number
}

/** Receives the name of a slow call, and its time in milliseconds with the wait for a thread. */
export type OnSlow = (call: string, ms: number) => void

/** Wraps a library so that it reports every call that takes longer than `limit` milliseconds, also if the call fails. */
export function timeLibrary(library: Library, limit: number, onSlow: OnSlow): Library {
  const timed = Object.entries(library).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      const begun = performance.now()
      const report = () => {
        const ms = performance.now() - begun
        if (ms > limit) onSlow(name, Math.round(ms))
      }
      const answer = call(...args)
      if (answer instanceof Promise) void answer.then(report, report)
      else report()
      return answer
    }
  ])
  return Object.fromEntries(timed) as Library
}
