import type { BrowserChange, BrowserFacts, EditorChange, EditorFacts, StdioServer } from './editor.ts'
import type { Container, FileDecoder, ImportFormat } from './import-format.ts'
import type { ExportFormat } from './library-export.ts'
import type { LinkReading } from './link-check.ts'
import type { OwnProgram } from './own-program.ts'
import type { PageReading } from './page-details.ts'
import type { DominantColor, PictureFault, PictureLook } from './picture.ts'

/** The operating system's keychain. Never throws and never waits long: no keychain is an ordinary answer. */
export interface Keychain {
  /** True only after the secret was written, read back and compared. */
  store(account: string, secret: string): Promise<boolean>
  /** `undefined` means unknown, not absent: a locked keychain looks the same as an empty one. */
  read(account: string): Promise<string | undefined>
  remove(account: string): Promise<void>
  /** Stores a secret, reads it back and removes it. Gives why that failed; `undefined` when it did not. */
  fault(): Promise<string | undefined>
  close(): Promise<void>
}

/** The fallback a headless owner may ask for: the secret in a file only the owner's account can read. */
export interface KeyFiles {
  /** Returns where it was written. */
  write(id: string, secret: string): Promise<string>
  read(id: string): Promise<string | undefined>
  remove(id: string): Promise<void>
}

/** Calls a program on this machine, ourselves included. */
export interface LoopbackClient {
  /** Rejects when nobody answers in time, or the address is another machine's. */
  post(address: string, headers: Record<string, string>, body: string): Promise<LoopbackAnswer>
}

export interface LoopbackAnswer {
  status: number
  body: string
}

/** The files in which editors and other hosts keep their MCP servers. Each throws Problems. */
export interface Editors {
  list(): Promise<EditorFacts[]>
  /** Puts Earmark into a host's file; a dry run only says what would change. */
  connect(id: string, server: StdioServer, dryRun: boolean): Promise<EditorChange>
  /** Puts back what was there, or takes Earmark out of what it has become since. */
  disconnect(id: string, dryRun: boolean): Promise<EditorChange>
}

/** Tells browsers which program the extension may start. Each call throws Problems. */
export interface Browsers {
  list(): Promise<BrowserFacts[]>
  /**
   * Tells a browser of this program; a dry run only says how.
   *
   * @param ownFolder the data folder, where it is not the platform's own
   */
  connect(id: string, program: OwnProgram, ownFolder: string | undefined, dryRun: boolean): Promise<BrowserChange>
  disconnect(id: string, dryRun: boolean): Promise<BrowserChange>
}

/** Bookmark files of other programs on this computer. They are only ever read. */
export interface BookmarkFiles {
  /** @throws Problem `not-found`, or `invalid` when it is a database that is none of Firefox's or cannot be read now */
  open(file: string): Promise<AsyncIterable<Uint8Array>>
  /** Changes with every change of the file; empty while there is none. */
  stampOf(file: string): Promise<string>
  isWholePath(file: string): boolean
  /** Where browsers keep their bookmarks here. */
  ofBrowsers(): Promise<string[]>
}

/** The web, as far as pages are read from it. */
export interface Web {
  /** Reads a page. What a site does wrong is an answer; rejects only when it is aborted. */
  readPage(address: string, signal: AbortSignal): Promise<PageReading>
  /** Fetches a picture and gives a small copy, as WebP; `null` where that fails. Rejects only when it is aborted. */
  readPicture(address: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** Asks whether a page is there, as briefly as its site allows. Rejects only when it is aborted. */
  checkLink(address: string, signal: AbortSignal): Promise<LinkReading>
  /** Whether this machine has a network at all. */
  isConnected(): boolean
  close(): Promise<void>
}

/** Looks at pictures. Never throws because of what they hold. */
export interface Pictures {
  inspect(bytes: Uint8Array): Promise<PictureLook | { fault: PictureFault }>
  /** The colors that make up most of a picture; none where it cannot be read. */
  colorsOf(picture: Uint8Array): Promise<DominantColor[]>
}

/** The files bookmarks come from and go to. */
export interface Formats {
  /** In the order they are tried. */
  formats: ImportFormat[]
  containers: Container[]
  exportFormats: ExportFormat[]
  texts: {
    /** @param encoding its name, if it is not to be detected */
    createDecoder(encoding?: string): FileDecoder
    /** Returns the text of an article: blocks with an empty line between, headings after `## `. */
    ofHtml(html: string): string
  }
}

/** A child process of the host: Node's, or Electron's utility process. Messages are structured clones. */
export interface ChildProcess<Request, Reply> {
  send(request: Request): void
  /** Called with each reply, and with `undefined` when the process ended. */
  onReply(listener: (reply: Reply | undefined) => void): void
  kill(): void
}

/** The programs that run as child processes. Each is built as a file of this name beside the program that starts it. */
type ChildProgram = 'decoder-child' | 'keychain-child' | 'places-child'

export type StartProcess = <Request, Reply>(program: ChildProgram) => ChildProcess<Request, Reply>
