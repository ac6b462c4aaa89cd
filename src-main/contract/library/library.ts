import type { Backup, RestoreReport } from '../backup.ts'
import type { ClockNote } from '../clock-note.ts'
import type { Finding } from '../doctor.ts'
import type { SavedSearch } from '../saved-search.ts'
import type { Settings } from '../settings.ts'
import type { LibraryAccess } from './access.ts'
import type { LibraryBookmarks } from './bookmarks.ts'
import type { LibraryImports } from './imports.ts'
import type { LibraryLinks } from './links.ts'
import type { LibraryPages } from './pages.ts'
import type { LibraryRules } from './rules.ts'
import type { LibrarySync } from './sync.ts'

/**
 * The library on disk. A write resolves once it is synced; a read sees every write that resolved before it. The table in
 * `store/library.ts` implements its calls.
 */
export interface Library
  extends LibraryBookmarks,
    LibraryImports,
    LibraryPages,
    LibraryLinks,
    LibraryAccess,
    LibraryRules,
    LibrarySync {
  readSettings(): Promise<Settings>
  writeSettings(change: Partial<Settings>): Promise<void>

  /** By name. */
  listSavedSearches(): Promise<SavedSearch[]>
  /** @throws Problem `taken` when one has that name, in any case; `too-many` */
  saveSearch(name: string, address: string): Promise<SavedSearch>
  /** Puts one back that was deleted. Throws as `saveSearch` does. */
  restoreSavedSearch(search: SavedSearch): Promise<void>
  /** False when there is no such saved search. Throws Problem `taken`. */
  renameSavedSearch(id: string, name: string): Promise<boolean>
  /** False when there is no such saved search. */
  deleteSavedSearch(id: string): Promise<boolean>

  /** Returns the last note of the clock; `undefined` if there is none. */
  readClock(): Promise<ClockNote | undefined>
  noteClock(note: ClockNote): Promise<void>
  /** Of the last bookmark and the last change; `undefined` in a library that was never used. */
  newestTime(): Promise<number | undefined>

  /** Copies the library to a file of this name among the backups, while it goes on. */
  backUp(name: string): Promise<Backup>
  /**
   * Copies the backups that a folder of the owner's lacks, and keeps so many of each kind there. Throws Problem
   * `invalid` when the folder cannot be used, `disk-full` when there is no room.
   */
  copyBackups(folder: string, kept: Record<string, number>): Promise<void>
  /** Returns the fault of the copies in this folder, as a sentence; `undefined` if the newest backup is among them. */
  copyFault(folder: string): Promise<string | undefined>
  /** Newest first. */
  listBackups(): Promise<Backup[]>
  removeBackup(name: string): Promise<void>
  /**
   * Does work of several calls, all in the library that is there when it begins: a restore that is under way is waited
   * for, and one that comes waits for its end.
   */
  inOneLibrary<T>(work: () => Promise<T>): Promise<T>
  /** How many backups have taken the place of the library since it was opened. */
  generation(): number
  /**
   * Puts a backup in the place of the library while it is open, and ends all sessions but one; nobody who was shut out
   * since gets in again.
   *
   * @param session goes on without a gap
   * @throws Problem when the backup is missing, damaged, foreign or from a newer Earmark, or `taken` while another is
   *   being restored or work in one library does not end; the library is untouched then
   */
  restoreBackup(name: string, at: number, session?: Uint8Array): Promise<RestoreReport>

  /**
   * Starts what the first answers do without: the writing thread, which the first write starts too, and looking through a
   * library that was not closed.
   */
  begin(): Promise<void>
  /** Where the library lies and how many bytes it takes there. */
  measure(): Promise<{ folder: string; bytes: number }>
  /** Whether damage was found since it was opened: after an unclean end it is looked through in the background. */
  isDamaged(): Promise<boolean>
  /** Whether, when it was opened, the log with what was saved last was missing though its process had been killed. */
  lostLog(): Promise<boolean>
  /** Looks through it for what is wrong, while it goes on; in a large one that takes seconds. Changes nothing. */
  examine(now: number): Promise<Finding[]>
  close(): Promise<void>
}
