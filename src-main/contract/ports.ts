import type { BrowserChange, BrowserFacts, EditorChange, EditorFacts, StdioServer } from './editor.ts'
import type { ReadBatch, ReadOptions } from './import-format.ts'
import type { ExportFormat, ReadableBookmark } from './library-export.ts'
import type { LinkReading } from './link-check.ts'
import type { OwnProgram } from './own-program.ts'
import type { CopyFault } from './page-copy.ts'
import type { PageReading } from './page-details.ts'
import type { PictureColors, PictureFault, PictureLook } from './picture.ts'

/** The operating system’s keychain. Many systems have none, so its calls never throw and never wait long. */
export interface Keychain {
  /** True only after the secret was written, read back and compared. */
  store(account: string, secret: string): Promise<boolean>
  /** Returns `undefined` if there is no such secret, or if the keychain is locked: systems do not distinguish these. */
  read(account: string): Promise<string | undefined>
  remove(account: string): Promise<void>
  /** Stores a secret, reads it back and removes it. Returns why that failed, if it did. */
  fault(): Promise<string | undefined>
  close(): Promise<void>
}

/** Secrets in files that only the owner’s account can read. */
export interface KeyFiles {
  /** Returns the file’s path. */
  write(id: string, secret: string): Promise<string>
  read(id: string): Promise<string | undefined>
  remove(id: string): Promise<void>
}

/** The files in which editors and other hosts configure their MCP servers. Calls throw Problems. */
export interface Editors {
  list(): Promise<EditorFacts[]>
  connect(id: string, server: StdioServer, dryRun: boolean): Promise<EditorChange>
  /** Restores the file as it was before `connect`. If the file has changed since, only removes Earmark from it. */
  disconnect(id: string, dryRun: boolean): Promise<EditorChange>
}

/** Registers Earmark’s native host, which the extension starts, in browsers. Calls throw Problems. */
export interface Browsers {
  list(): Promise<BrowserFacts[]>
  /** @param ownFolder the data folder, if it is not the platform’s default */
  connect(id: string, program: OwnProgram, ownFolder: string | undefined, dryRun: boolean): Promise<BrowserChange>
  disconnect(id: string, dryRun: boolean): Promise<BrowserChange>
}

/** Bookmark files of other programs on this computer. Earmark only reads them. */
export interface BookmarkFiles {
  /** @throws Problem `not-found`, or `invalid` if it is a database that is not Firefox’s or cannot be read now */
  open(file: string): Promise<AsyncIterable<Uint8Array>>
  /** Returns a text that differs after every change of the file; empty if there is no file. */
  stampOf(file: string): Promise<string>
  isWholePath(file: string): boolean
  ofBrowsers(): Promise<BrowserFile[]>
}

/** A file in which a browser stores the bookmarks of a profile. */
export interface BrowserFile {
  file: string
  /** The browser's name. */
  browser: string
}

/** Requests to the web. Calls reject only if they are aborted. The faults of a site are results. */
export interface Web {
  readPage(address: string, signal: AbortSignal): Promise<PageReading>
  /** Fetches a picture and returns a small copy, as WebP; `null` if that fails. */
  readPicture(address: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** Checks whether a page exists, without reading it if its site allows that. */
  checkLink(address: string, signal: AbortSignal): Promise<LinkReading>
  /** Whether this machine has a network. */
  isConnected(): boolean
  close(): Promise<void>
}

/** Decodes pictures. A damaged picture never makes a call throw. */
export interface Pictures {
  inspect(bytes: Uint8Array): Promise<PictureLook | { fault: PictureFault }>
  /** Returns the dominant colors of a picture; none if it cannot be read. */
  colorsOf(picture: Uint8Array): Promise<PictureColors>
}

/** Converts copies of pages. */
export interface PageCopies {
  /** Converts a web archive (MHTML) or HTML to one HTML file that runs nothing and requests nothing. */
  convert(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | { fault: CopyFault }>
}

/** Formats to import and export. */
export interface Formats {
  exportFormats: ExportFormat[]
  /** Returns a bookmark as a Markdown file; the name is without its ending. */
  markdownFile(bookmark: ReadableBookmark): NamedText
  /**
   * Reads a bookmark file and detects its format by its content. Archives and compressed files are unpacked.
   *
   * @param signal stops the reading
   * @throws Problem `invalid` if the file is of no known format, damaged or too large; the signal's reason once it is
   *   aborted
   */
  readFile(
    bytes: AsyncIterable<Uint8Array>,
    options?: ReadOptions & { signal?: AbortSignal }
  ): AsyncGenerator<ReadBatch>
}

export interface NamedText {
  name: string
  content: string
}

/** A folder with a Markdown file for each bookmark. Files that others created or changed stay unchanged. */
export interface MarkdownFolder {
  /** Returns the stamps that the files were written with, by the ids of their bookmarks. */
  stamps(): Map<string, string>
  /** Writes a bookmark's file, under its name or a similar one that is free. @throws Problem `invalid` */
  write(id: string, stamp: string, file: NamedText): Promise<void>
  remove(id: string): Promise<void>
  /** Stores the list of the files that Earmark wrote. */
  save(): Promise<void>
}

/** A child process: Node’s, or Electron’s utility process. Messages are structured clones. */
export interface ChildProcess<Request, Reply> {
  send(request: Request): void
  /** Called with each reply, and with `undefined` when the process ended. */
  onReply(listener: (reply: Reply | undefined) => void): void
  kill(): void
}

/** Programs that run as child processes, each built as a file of this name. */
type ChildProgram = 'decoder-child' | 'import-child' | 'keychain-child' | 'places-child'

export type StartProcess = <Request, Reply>(program: ChildProgram) => ChildProcess<Request, Reply>
