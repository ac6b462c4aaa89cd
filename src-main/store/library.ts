/**
 * Every call of the library: its name, the function with its SQL, and the thread that runs it. `onMain` is the main
 * thread, for quick reads and for the files of pictures; `onReader` the reading thread; `onWriter` the writing thread,
 * where each call is a transaction. A write returns its answer with the events that the main thread emits after the
 * commit (`Written` in `calls.ts`). A call whose name ends in `Batch`, and `purgeTrash`, does one batch of long work per
 * call: the caller repeats it until nothing remains.
 *
 * A saved bookmark is a row of `bookmarks` with rows of `tags` and `bookmark_tags`. The same transaction records how to
 * undo the change (`undo_steps`, `bookmarks/undo.ts`) and adds the bookmark to the search index (`refresh` of
 * `SearchIndex`). Changes of very many bookmarks are marked instead, and the writing thread indexes them when it is
 * idle (`indexing.ts`). The text of a page arrives later, with `saveDetails` or `saveTabText`, and is indexed then.
 */

import * as backupCopies from '../database/backup-copies.ts'
import { listBackups } from '../database/backups.ts'
import { countByKind } from '../search/sql/filters.ts'
import * as searchIndex from '../search/sql/search-index.ts'
import { listCalls } from './access/calls.ts'
import * as keys from './access/keys.ts'
import * as organizations from './access/organizations.ts'
import * as settings from './access/settings.ts'
import * as edits from './bookmarks/bookmark-edits.ts'
import { listBookmarks } from './bookmarks/bookmark-lists.ts'
import * as reads from './bookmarks/bookmark-reads.ts'
import * as writes from './bookmarks/bookmark-writes.ts'
import * as duplicates from './bookmarks/duplicates.ts'
import * as imports from './bookmarks/imports.ts'
import * as rules from './bookmarks/rules.ts'
import * as samples from './bookmarks/samples.ts'
import * as tags from './bookmarks/tags.ts'
import { undoBatch } from './bookmarks/undo.ts'
import { forgetSteps } from './bookmarks/undo-steps.ts'
import * as walks from './bookmarks/walks.ts'
import { type Call, onMain, onReader, onWriter, type Written } from './calls.ts'
import { indexBatch } from './indexing.ts'
import * as copies from './pages/copies.ts'
import * as highlights from './pages/highlights.ts'
import * as links from './pages/links.ts'
import * as pages from './pages/pages.ts'
import * as pictures from './pages/pictures.ts'
import * as textPictures from './pages/text-pictures.ts'
import * as searches from './search/searches.ts'
import * as mergedRecords from './sync/merge-records.ts'
import * as segments from './sync/segments.ts'
import * as snapshots from './sync/snapshots.ts'
import { stampChanges } from './sync/stamping.ts'

const TABLE = {
  // Searching
  searchBookmarks: onReader(searches.searchBookmarks),
  countBookmarks: onReader(searches.countBookmarks),
  countUnindexed: onReader(searchIndex.countUnindexed),
  isIndexing: onMain(searchIndex.isIndexing),
  indexBatch: onWriter(indexBatch),

  // Bookmarks
  saveBookmarks: onWriter(writes.saveBookmarks),
  saveForCall: onWriter(writes.saveForCall),
  savePicture: onWriter(writes.savePicture),
  editBookmark: onWriter(edits.editBookmark),
  changeBookmarks: onWriter(edits.changeBookmarks),
  undoBatch: onWriter(undoBatch),
  setNotDuplicates: onWriter(duplicates.setNotDuplicates),
  forgetSteps: onWriter(forgetSteps),
  findBookmark: onMain(reads.findBookmark),
  findSaved: onMain(reads.findSaved),
  countByKind: onMain(countByKind),
  listBookmarks: onReader(listBookmarks),
  readBookmarks: onReader(walks.readBookmarks),
  bookmarkStamps: onReader(walks.bookmarkStamps),
  matchingIds: onReader(walks.matchingIds),
  countMatching: onReader(walks.countMatching),
  tagsOf: onReader(walks.tagsOf),
  relatedBookmarks: onReader(searches.relatedBookmarks),
  suggestTags: onReader(searches.suggestTags),
  pastBookmarks: onReader(reads.pastBookmarks),
  noteOpenings: onWriter(reads.noteOpenings),
  similarColors: onReader(textPictures.similarColors),
  similarImages: onReader(textPictures.similarImages),

  // Duplicates, the trash, tags
  findDuplicates: onReader(duplicates.findDuplicates),
  mergeDuplicates: onWriter(duplicates.mergeDuplicates),
  purgeTrash: onWriter(edits.purgeTrash),
  areInTrash: onMain(imports.areInTrash),
  listTags: onReader(tags.listTags),
  listTagParents: onReader(tags.listTagParents),
  renameTag: onWriter(tags.renameTag),
  mergeTags: onWriter(tags.mergeTags),
  deleteTag: onWriter(tags.deleteTag),

  // Samples, imports, and files that are watched
  addSamples: onWriter(samples.addSamples),
  removeSamples: onWriter(samples.removeSamples),
  countSamples: onMain(samples.countSamples),
  beginImport: onWriter(imports.beginImport),
  importBookmarks: onWriter(imports.importBookmarks, { isImport: true }),
  previewImport: onMain(imports.previewImport),
  listImports: onMain(imports.listImports),
  wereGiven: onMain(imports.wereGiven),
  rememberPages: onWriter(imports.rememberPages),

  // Pages and pictures
  duePage: onMain(pages.duePage),
  saveDetails: onWriter(pages.saveDetails),
  saveFailure: onWriter(pages.saveFailure),
  saveTabText: onWriter(pages.saveTabText),
  askForPage: onWriter(pages.askForPage),
  findStoredPage: onMain(pages.findStoredPage),
  countPagesToRead: onMain(pages.countPagesToRead),
  readPageTexts: onMain(pages.readPageTexts),
  readPageText: onMain(pages.readPageText),
  readReadingPlace: onMain(pages.readReadingPlace),
  saveReadingPlace: onWriter(pages.saveReadingPlace),
  readHighlights: onMain(highlights.readHighlights),
  readReading: onReader(highlights.readReading),
  saveHighlight: onWriter(highlights.saveHighlight),
  deleteHighlight: onWriter(highlights.deleteHighlight),
  listHighlights: onReader(highlights.listHighlights),
  keepPicture: onMain(pictures.keepPicture),
  readPicture: onMain(pictures.readPicture),
  keepTextPicture: onMain(textPictures.keepTextPicture),
  areTextPicturesKept: onMain(textPictures.areTextPicturesKept),
  readTextPicture: onMain(textPictures.readTextPicture),
  prunePictures: onMain(pictures.prunePictures),
  keepOriginal: onWriter(pictures.keepOriginal),
  forgetOriginals: onWriter(pictures.forgetOriginals),
  hasOriginal: onMain(pictures.hasOriginal),
  listOriginals: onReader(pictures.listOriginals),
  readOriginal: onReader(pictures.readOriginal),
  findPicture: onMain(pictures.findPicture),
  uncoloredPicture: onMain(pictures.uncoloredPicture),
  saveColors: onWriter(pictures.saveColors),

  // Copies of pages
  findCopy: onMain(copies.findCopyOf),
  measureCopies: onMain(copies.measureCopies),
  keepCopyFile: onMain(copies.keepCopyFile),
  readCopyFile: onMain(copies.readCopyFile),
  saveCopy: onWriter(copies.saveCopy),
  deleteCopy: onWriter(copies.deleteCopy),
  pruneCopies: onReader(copies.pruneCopies),

  // Links
  dueLink: onMain(links.dueLink),
  saveLink: onWriter(links.saveLink),
  findLink: onMain(links.findLink),
  countUnchecked: onReader(links.countUnchecked),
  linkThatAnswered: onMain(links.linkThatAnswered),
  markedLinks: onMain(links.markedLinks),
  linkCheck: onMain(links.linkCheck),
  beginLinkCheck: onWriter(links.beginLinkCheck),
  endLinkCheck: onWriter(links.endLinkCheck),
  cancelLinkCheck: onWriter(links.cancelLinkCheck),

  // Organizations, keys and their calls, sessions
  createOrganization: onWriter(organizations.createOrganization),
  listOrganizations: onMain(organizations.listOrganizations),
  renameOrganization: onWriter(organizations.renameOrganization),
  previewDeletion: onWriter(organizations.previewDeletion),
  deleteOrganizationBatch: onWriter(organizations.deleteOrganizationBatch),
  createKey: onWriter(keys.createKey),
  replaceKey: onWriter(keys.replaceKey),
  revokeKey: onWriter(keys.revokeKey, { whenDamaged: true }),
  revokeKeysOf: onWriter(keys.revokeKeysOf),
  setKeychainOutcome: onWriter(keys.setKeychainOutcome),
  listKeys: onMain(keys.listKeys),
  // Cached: every request to the endpoint looks up its key.
  findKey: onMain(keys.findKey, { cacheKey: keys.hashName }),
  listCalls: onMain(listCalls),
  createSession: onWriter(keys.createSession, { whenDamaged: true }),
  endSession: onWriter(keys.endSession, { whenDamaged: true }),
  findSession: onMain(keys.findSession),
  listSessions: onMain(keys.listSessions),
  recordUse: onWriter(keys.recordUse),

  // Settings, the clock, saved searches
  readSettings: onMain(settings.readSettings),
  writeSettings: onWriter(settings.writeSettings),
  readClock: onMain(settings.readClock),
  noteClock: onWriter(settings.noteClock),
  newestTime: onMain(settings.newestTime),
  listSavedSearches: onMain(searches.listSavedSearches),
  saveSearch: onWriter(searches.saveSearch),
  changeSavedSearch: onWriter(searches.changeSavedSearch),
  deleteSavedSearch: onWriter(searches.deleteSavedSearch),

  // Rules
  listRules: onMain(rules.listRules),
  saveRule: onWriter(rules.saveRule),
  changeRule: onWriter(rules.changeRule),
  deleteRule: onWriter(rules.deleteRule),
  wantsCopy: onReader(rules.wantsCopy),

  // Several machines
  readSync: onMain(snapshots.readSync),
  startSync: onWriter(snapshots.startSync),
  countUnsent: onReader(segments.countUnsent),
  setSyncPaused: onWriter(snapshots.setSyncPaused),
  stopSync: onWriter(snapshots.stopSync),
  becomeDevice: onWriter(snapshots.becomeDevice),
  stampChanges: onWriter(stampChanges),
  nextSegment: onWriter(segments.nextSegment),
  segmentSent: onWriter(segments.segmentSent),
  beginSnapshot: onWriter(snapshots.beginSnapshot),
  sendWhatWasRead: onWriter(snapshots.sendWhatWasRead),
  nextPart: onWriter(snapshots.nextPart),
  partSent: onWriter(snapshots.partSent),
  snapshotRead: onWriter(snapshots.snapshotRead),
  insertUnknown: onWriter(mergedRecords.insertUnknown, { isImport: true }),
  mergeRecords: onWriter(mergedRecords.mergeRecords),
  referToMissing: onWriter(mergedRecords.referToMissing, { isImport: true }),
  segmentRead: onWriter(snapshots.segmentRead),

  // Backups
  listBackups: onMain(listBackups),
  copyBackups: onMain(backupCopies.copyBackups),
  copyFault: onMain(backupCopies.copyFault)
}

/** A call as the rest of the program sees it: it returns a promise, whichever thread runs it. */
type CallFunction<Line> = Line extends { run: (db: never, ...args: infer Args) => infer Result }
  ? (...args: Args) => Promise<Awaited<Result> extends Written<infer Answer> ? Answer : Awaited<Result>>
  : never

/** Every call of a library. Opening, closing, copying and replacing the whole library are in `open-library.ts`. */
export type LibraryCalls = { [Name in keyof typeof TABLE]: CallFunction<(typeof TABLE)[Name]> }

export type CallName = keyof LibraryCalls

/** The same table for code that only forwards calls. */
export const CALLS: Record<CallName, Call<never[], unknown>> = TABLE

/** Builds a method for each call, which passes its name and arguments to `call`. */
export function libraryCalls(call: (name: CallName, args: never[]) => Promise<unknown>): LibraryCalls {
  const names = Object.keys(CALLS) as CallName[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: never[]) => call(name, args)])
  ) as unknown as LibraryCalls
}

/** Finds a call that another thread requested by its name. */
export function findCall(name: string): Call<never[], unknown> {
  const calls: Record<string, Call<never[], unknown> | undefined> = CALLS
  const call = calls[name]
  if (!call) throw new Error(`The library has no call ${name}.`)
  return call
}
