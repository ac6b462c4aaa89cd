import type {
  Browsers,
  Editors,
  Formats,
  Keychain,
  KeyFiles,
  LoopbackClient,
  Pictures,
  Web
} from '../contract/ports.ts'
import type { SyncFolders } from '../contract/sync.ts'
import type { Library } from '../store/open-library.ts'

/** Everything the actions work with. */
export interface Ports {
  library: Library
  keychain: Keychain
  keyFiles: KeyFiles
  /** Loaded when first asked for: the files are of many kinds, and their parsers large. */
  editors(): Promise<Editors>
  browsers: Browsers
  /** Loaded when first asked for. */
  formats(): Promise<Formats>
  /** Loaded when first asked for. */
  syncFolders(): Promise<SyncFolders>
  loopback: LoopbackClient
  pictures: Pictures
  /** Absent where nothing is to be fetched. */
  web?: Web
  /** Milliseconds since 1970. */
  now: () => number
}
