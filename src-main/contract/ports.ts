import type { Backup, RestoreReport } from './backup.ts'
import type { Bookmark, BookmarkDraft, BookmarkPage, BookmarkQuery, Placement, SavedBookmark } from './bookmark.ts'
import type { BookmarkEdit, BulkChange, ChangeReport } from './bookmark-change.ts'
import type { BookmarkCounts, BookmarkList } from './bookmark-list.ts'
import type { Call, CallOrigin, CallRecord, UndoReport } from './call.ts'
import type { Caller } from './caller.ts'
import type { SimilarColor } from './color.ts'
import type { Duplicates, Merge, MergeReport } from './duplicate.ts'
import type { Container, ImportFormat } from './import-format.ts'
import type { ApiKey, KeyCredential, KeychainOutcome, NewKey } from './key.ts'
import type { ExportFormat, ExportPart, ExportRange } from './library-export.ts'
import type { ImportDraft, ImportFacts, ImportUndo } from './library-import.ts'
import type {
  DueLink,
  LinkReading,
  LinkRound,
  LinkVerdict,
  MarkedLink,
  NewLinkRound,
  StoredLink
} from './link-check.ts'
import type { BookmarkFate, DeletionPreview, DissolvedBookmarks, Organization } from './organization.ts'
import type { DuePage, KeptDetails, PageFailure, PageReading, StoredPage } from './page-details.ts'
import type {
  DominantColor,
  KeptPicture,
  NewPicture,
  PictureFacts,
  PictureFault,
  PictureLook,
  UncoloredPicture
} from './picture.ts'
import type { Settings } from './settings.ts'
import type { Tag, TagMerge, TagReport } from './tag.ts'

/** The library on disk. A write resolves once it is synced; a read sees every write that resolved before it. */
export interface Library {
  searchBookmarks(caller: Caller, query: BookmarkQuery): Promise<BookmarkPage>
  countBookmarks(caller: Caller): Promise<number>
  /** About how many bookmarks the search index does not hold yet: after a large import, or while it is rebuilt. */
  countUnindexed(): Promise<number>
  /** Whether there are any, which costs next to nothing to ask. */
  isIndexing(): Promise<boolean>
  /** One transaction for all drafts, answered in their order. */
  saveBookmarks(placement: Placement, drafts: BookmarkDraft[]): Promise<SavedBookmark[]>
  /** The same, and in the same transaction the call's row in its key's ledger. */
  saveForCall(
    placement: Placement,
    drafts: BookmarkDraft[],
    call: CallOrigin & { tool: string }
  ): Promise<{ saved: SavedBookmark[]; callId: number }>

  /** Begins an import, so that all it adds can be taken back as one, and gives its id. */
  beginImport(at: number): Promise<number>
  /**
   * One transaction for all drafts, answered in their order. What is new is listed and counted at once; its words are
   * indexed in the background once nothing is imported.
   */
  importBookmarks(importId: number, drafts: ImportDraft[]): Promise<SavedBookmark['status'][]>
  /** Indexes some of what imports left to the background, what came last first. Says how many; 0 when none is left. */
  indexSome(): Promise<number>
  /** What importing the drafts would answer, each by itself. */
  previewImport(drafts: ImportDraft[]): Promise<SavedBookmark['status'][]>
  /** Whether the pages of the drafts are in the trash, each by itself. */
  areInTrash(drafts: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<boolean[]>
  /** Whether a watched file gave these pages before, each by itself. */
  wereGiven(file: string, pages: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<boolean[]>
  /** Remembers that a watched file gave these pages. */
  rememberPages(file: string, pages: Pick<ImportDraft, 'owner' | 'pageKey'>[]): Promise<void>
  /** The last imports that added something, newest first. */
  listImports(): Promise<ImportFacts[]>
  /** Takes back some of what an import added. `undefined` when there is no such import, or it was undone before. */
  undoImportSome(id: number, at: number): Promise<ImportUndo | undefined>
  /** Forgets imports from before a time, so that they can no longer be undone. */
  forgetImports(before: number): Promise<void>
  exportBookmarks(range: ExportRange): Promise<ExportPart>

  /** A page of all the profile's bookmarks that the filters let through, however deep. */
  listBookmarks(list: BookmarkList): Promise<BookmarkPage>
  countByKind(): Promise<BookmarkCounts>
  /** In the trash or not. */
  findBookmark(id: string): Promise<Bookmark | undefined>
  /** `undefined` when there is no such bookmark; otherwise the step that takes it back, `null` if nothing changed. */
  editBookmark(id: string, edit: BookmarkEdit, at: number): Promise<{ undo: number | null } | undefined>
  /** One transaction for all; what cannot be changed is left alone. */
  changeBookmarks(ids: string[], change: BulkChange, at: number): Promise<ChangeReport>
  /** Deletes for good some of what went to the trash before a time; 0 when none is left. */
  purgeTrash(before: number): Promise<number>
  /** `undefined` when there is no such step, or it was taken back before. */
  undoStep(id: number): Promise<UndoReport | undefined>
  /** Forgets some of the steps from before a time; false when none is left. */
  forgetSteps(before: number): Promise<boolean>

  /** A bookmark whose page is due to be read, the one saved last, and of none of these domains. */
  duePage(now: number, except: string[]): Promise<DuePage | undefined>
  /** Keeps what a page says, where the bookmark is still of this page. False when it is not. */
  saveDetails(page: DuePage, details: KeptDetails, at: number): Promise<boolean>
  saveFailure(page: DuePage, failure: PageFailure, at: number): Promise<boolean>
  /** Lets a page be read again. False when there is no such bookmark, or it has no page. */
  askForPage(id: string, at: number): Promise<boolean>
  /** `undefined` when there is no such bookmark, or it has no page. */
  findPage(id: string): Promise<StoredPage | undefined>
  /** How many pages are yet to be read, counted up to 10,000. */
  countPagesToRead(): Promise<number>
  /** The texts of these bookmarks' pages, by their ids. */
  readPageTexts(ids: string[]): Promise<Map<string, string>>
  /** Keeps a picture beside the library and gives its name. */
  keepPicture(picture: Uint8Array): Promise<string>
  /** `undefined` when there is none of this name, or it had to make room. */
  readPicture(name: string): Promise<Uint8Array | undefined>
  /** Keeps a picture in the library itself, with a bookmark of it. One transaction. */
  savePicture(placement: Placement, draft: BookmarkDraft, picture: NewPicture): Promise<SavedBookmark>
  /** Keeps a picture for the bookmarks that come next; without any it is forgotten again. */
  keepOriginal(picture: NewPicture, at: number): Promise<void>
  hasOriginal(hash: string): Promise<boolean>
  /** A picture that is kept itself. */
  readOriginal(hash: string): Promise<KeptPicture | undefined>
  /** Forgets pictures that were kept before a time and are no bookmark's. */
  forgetOriginals(before: number): Promise<void>
  /** `undefined` when there is no such bookmark. */
  findPicture(id: string): Promise<PictureFacts | undefined>
  /** An image whose colors are yet to be looked for. */
  uncoloredPicture(): Promise<UncoloredPicture | undefined>
  /** Keeps an image's colors, where its picture is still this one. */
  saveColors(picture: UncoloredPicture, colors: DominantColor[]): Promise<void>
  /** Removes pictures that no bookmark has any more, and the oldest where all take more than so many bytes. */
  prunePictures(mostBytes: number): Promise<void>

  /** A link whose check is due, and of none of these domains. */
  dueLink(now: number, except: string[]): Promise<DueLink | undefined>
  /**
   * Keeps what a check found, where the bookmark is still of this address; `undefined` where it is not.
   *
   * @param next when it is looked at again; `null` where nothing is to be confirmed
   */
  saveLink(
    link: DueLink,
    verdict: LinkVerdict,
    next: number | null,
    at: number
  ): Promise<{ changed: boolean } | undefined>
  /** `undefined` where it was not checked yet. */
  findLink(id: string): Promise<StoredLink | undefined>
  /** The address of a link of another site than this that was well when it was checked. */
  linkThatAnswered(domain: string): Promise<string | undefined>
  /** @throws Problem `taken` while the owner's own is under way; one that began by itself makes room */
  beginLinkRound(wanted: NewLinkRound, at: number): Promise<LinkRound>
  /** Takes these into a round; `after` is how far its choice was gone through, `null` at the end. */
  takeInLinks(round: number, ids: string[], after: number | null, at: number): Promise<void>
  /** Takes some of the links into a round that nobody looked at since a time. */
  takeInOldLinks(round: number, before: number, at: number): Promise<void>
  /** Ends the round under way once nothing of it is left, or at once; `undefined` where it goes on or there is none. */
  endLinkRound(at: number, cancel: boolean): Promise<LinkRound | undefined>
  /** Lets go of some links of a round that was stopped; false when none is left. */
  sweepLinks(): Promise<boolean>
  /** Links that a check since a time found broken or moved, those saved last first. */
  markedLinks(since: number, limit: number): Promise<MarkedLink[]>
  /** The last round, ended or not. */
  linkRound(): Promise<LinkRound | undefined>
  lastRoundByItself(): Promise<LinkRound | undefined>

  /** Bookmarks of nearly the same page and the same owner: a page of groups, those saved last first. */
  findDuplicates(page: number, limit: number): Promise<Duplicates>
  /** One transaction and one step for all; what cannot be merged is left alone. */
  mergeDuplicates(merges: Merge[], at: number): Promise<MergeReport>
  /** The owner's colors that look like this one, nearest first. */
  similarColors(color: string, limit: number): Promise<SimilarColor[]>
  /** The owner's images of which a large part looks like this color, nearest first. */
  similarImages(color: string, limit: number): Promise<SimilarColor[]>

  listTags(): Promise<Tag[]>
  renameTag(name: string, newName: string, at: number): Promise<TagReport>
  mergeTags(merge: TagMerge, at: number): Promise<TagReport>
  deleteTag(name: string, at: number): Promise<TagReport>

  /** A key's calls, newest first: `limit` of those before the call with the id `before`. */
  listCalls(key: string, before: number, limit: number): Promise<Call[]>
  /** `undefined` when there is no such call or it was undone before. */
  undoCall(id: number, at: number): Promise<UndoReport | undefined>

  createOrganization(name: string, createdAt: number): Promise<Organization>
  listOrganizations(): Promise<Organization[]>
  /** False when there is no such organization. */
  renameOrganization(rowId: number, name: string): Promise<boolean>
  previewDeletion(rowId: number): Promise<DeletionPreview>
  /** Revokes every key of the organization that is not revoked yet, and gives their ids. */
  revokeKeysOf(rowId: number, at: number): Promise<string[]>
  /** One step of deleting an organization. `done` once none of its bookmarks is left and it is gone itself. */
  dissolveSome(rowId: number, fate: BookmarkFate, at: number): Promise<DissolvedBookmarks & { done: boolean }>

  createKey(key: NewKey): Promise<{ id: string; rowId: number }>
  setKeychainOutcome(rowId: number, outcome: KeychainOutcome): Promise<void>
  listKeys(): Promise<ApiKey[]>
  /** Revoking twice keeps the first time. False when there is no such key. */
  revokeKey(id: string, at: number): Promise<boolean>
  /** Makes the new key and revokes the old one in one step; `undefined` when the old one is not there or revoked. */
  replaceKey(id: string, key: NewKey): Promise<{ id: string; rowId: number } | undefined>
  findKey(hash: Uint8Array): Promise<KeyCredential | undefined>

  /** `tabHash` is of the token that the tab which logged in keeps. */
  createSession(hash: Uint8Array, tabHash: Uint8Array, at: number): Promise<void>
  findSession(hash: Uint8Array): Promise<StoredSession | undefined>
  endSession(hash: Uint8Array): Promise<void>
  /** Also forgets what is older than `expired` says. */
  recordUse(use: UseRecord[], expired: ExpiryTimes): Promise<void>

  readSettings(): Promise<Settings>
  writeSettings(change: Partial<Settings>): Promise<void>

  /** Copies the library to a file of this name among the backups, while it goes on. */
  backUp(name: string): Promise<Backup>
  /** Newest first. */
  listBackups(): Promise<Backup[]>
  removeBackup(name: string): Promise<void>
  /** How many backups have taken the place of the library since it was opened. */
  generation(): number
  /**
   * Puts a backup in the place of the library while it is open, and ends all sessions but one; nobody who was shut out
   * since gets in again.
   *
   * @param session goes on without a gap
   * @throws Problem when the backup is missing, damaged, foreign or from a newer Earmark, or `taken` while another is
   *   being restored; the library is untouched then
   */
  restoreBackup(name: string, at: number, session?: { hash: Uint8Array; tabHash: Uint8Array }): Promise<RestoreReport>

  /** Where the library lies and how many bytes it takes there. */
  measure(): Promise<{ folder: string; bytes: number }>
  /** Whether damage was found since it was opened: after an unclean end it is looked through in the background. */
  isDamaged(): Promise<boolean>
  close(): Promise<void>
}

/** Times are milliseconds since 1970. */
export interface StoredSession {
  createdAt: number
  seenAt: number
  tabHash: Uint8Array | null
}

/** When a key or a session was last used, a call that saved nothing, and the size of the answer to one that did. */
export type UseRecord =
  | { kind: 'key'; rowId: number; at: number; client: string | null }
  | { kind: 'session'; hash: Uint8Array; at: number }
  | { kind: 'call'; call: CallRecord }
  | { kind: 'answer'; callId: number; bytes: number }

/** Sessions that began or were last seen before these times have ended; calls before theirs are forgotten. */
export interface ExpiryTimes {
  createdAt: number
  seenAt: number
  calledAt: number
}

/** The operating system's keychain. Never throws and never waits long: no keychain is an ordinary answer. */
export interface Keychain {
  /** True only after the secret was written, read back and compared. */
  store(account: string, secret: string): Promise<boolean>
  /** `undefined` means unknown, not absent: a locked keychain looks the same as an empty one. */
  read(account: string): Promise<string | undefined>
  remove(account: string): Promise<void>
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

/** The web, as far as pages are read from it. */
export interface Web {
  /** Reads a page. What a site does wrong is an answer; rejects only when it is aborted. */
  readPage(address: string, signal: AbortSignal): Promise<PageReading>
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

/** What the actions work with. */
export interface Ports {
  library: Library
  keychain: Keychain
  keyFiles: KeyFiles
  /** In the order they are tried. */
  formats: ImportFormat[]
  containers: Container[]
  exportFormats: ExportFormat[]
  loopback: LoopbackClient
  pictures: Pictures
  /** Absent where nothing is to be fetched. */
  web?: Web
  /** Milliseconds since 1970. */
  now: () => number
}
