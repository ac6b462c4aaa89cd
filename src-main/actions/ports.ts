import type {
  Browsers,
  Editors,
  Formats,
  Keychain,
  KeyFiles,
  MarkdownFolder,
  PageCopies,
  Pictures,
  Web
} from '../contract/ports.ts'
import type { SyncFolders } from '../contract/sync.ts'
import type { Library } from '../store/open-library.ts'

export interface Ports {
  library: Library
  keychain: Keychain
  keyFiles: KeyFiles
  /** The next three are loaded at their first use, because their parsers are large. */
  editors(): Promise<Editors>
  formats(): Promise<Formats>
  syncFolders(): Promise<SyncFolders>
  /** @throws Problem `invalid` if the folder cannot be used */
  markdownFolder(folder: string): Promise<MarkdownFolder>
  browsers: Browsers
  pictures: Pictures
  pageCopies: PageCopies
  /** Absent if nothing may be fetched. */
  web?: Web
  /** Milliseconds since 1970. */
  now: () => number
}
