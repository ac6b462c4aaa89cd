/**
 * Every call of the library: its name, the function with its SQL, and the thread that runs it. `onMain` is the main
 * thread, for quick reads and for picture files; `onReader` the reading thread; `onWriter` the writing thread, where each
 * call is a transaction. A write returns its answer with the events that the main thread emits after the commit
 * (`Written` in `calls.ts`). A call whose name ends in `Batch`, and `purgeTrash`, does one batch of long work per call:
 * the caller calls it until it reports the end.
 *
 * A saved bookmark is a row of `bookmarks` with rows of `tags` and `bookmark_tags`. The same transaction records how to
 * undo the change (`undo_steps`, `bookmarks/undo.ts`) and adds the bookmark to the search index (`refresh` of
 * `SearchIndex`). Changes of very many bookmarks are marked instead, and the writing thread indexes them when it is
 * idle (`indexing.ts`). The text of a page arrives later, with `saveDetails` or `saveTabText`, and is indexed then.
 */

import { copyBackups, copyFault } from '../database/backup-copies.ts'
import { listBackups } from '../database/backups.ts'
import { countByKind } from '../search/sql/filters.ts'
import { countUnindexed, isIndexing } from '../search/sql/search-index.ts'
import { listCalls } from './access/calls.ts'
import {
  createKey,
  createSession,
  endSession,
  findKey,
  findSession,
  hashName,
  listKeys,
  listSessions,
  recordUse,
  replaceKey,
  revokeKey,
  revokeKeysOf,
  setKeychainOutcome
} from './access/keys.ts'
import {
  createOrganization,
  deleteOrganizationBatch,
  listOrganizations,
  previewDeletion,
  renameOrganization
} from './access/organizations.ts'
import { newestTime, noteClock, readClock, readSettings, writeSettings } from './access/settings.ts'
import { changeBookmarks, editBookmark, purgeTrash } from './bookmarks/bookmark-edits.ts'
import { listBookmarks } from './bookmarks/bookmark-lists.ts'
import { findBookmark, findSaved, noteOpenings, pastBookmarks } from './bookmarks/bookmark-reads.ts'
import { saveBookmarks, saveForCall, savePicture } from './bookmarks/bookmark-writes.ts'
import { findDuplicates, mergeDuplicates, setNotDuplicates } from './bookmarks/duplicates.ts'
import {
  areInTrash,
  beginImport,
  importBookmarks,
  listImports,
  previewImport,
  rememberPages,
  wereGiven
} from './bookmarks/imports.ts'
import { changeRule, deleteRule, listRules, saveRule } from './bookmarks/rules.ts'
import { addSamples, countSamples, removeSamples } from './bookmarks/samples.ts'
import { deleteTag, listTagParents, listTags, mergeTags, renameTag } from './bookmarks/tags.ts'
import { undoBatch } from './bookmarks/undo.ts'
import { forgetSteps } from './bookmarks/undo-steps.ts'
import { countMatching, matchingIds, readBookmarks, tagsOf } from './bookmarks/walks.ts'
import { type Call, onMain, onReader, onWriter, type Written } from './calls.ts'
import { indexBatch } from './indexing.ts'
import {
  beginLinkCheck,
  cancelLinkCheck,
  countUnchecked,
  dueLink,
  endLinkCheck,
  findLink,
  linkCheck,
  linkThatAnswered,
  markedLinks,
  saveLink
} from './pages/links.ts'
import {
  askForPage,
  countPagesToRead,
  duePage,
  findStoredPage,
  readPageTexts,
  readTextLayout,
  saveDetails,
  saveFailure,
  saveTabText
} from './pages/pages.ts'
import {
  findPicture,
  forgetOriginals,
  hasOriginal,
  keepOriginal,
  keepPicture,
  listOriginals,
  prunePictures,
  readOriginal,
  readPicture,
  saveColors,
  uncoloredPicture
} from './pages/pictures.ts'
import {
  areTextPicturesKept,
  keepTextPicture,
  readTextPicture,
  similarColors,
  similarImages
} from './pages/text-pictures.ts'
import {
  changeSavedSearch,
  countBookmarks,
  deleteSavedSearch,
  listSavedSearches,
  relatedBookmarks,
  saveSearch,
  searchBookmarks,
  suggestTags
} from './search/searches.ts'
import { insertUnknown, mergeRecords, referToMissing } from './sync/merge-records.ts'
import { countUnsent, nextSegment, segmentSent } from './sync/segments.ts'
import {
  becomeDevice,
  beginSnapshot,
  nextPart,
  partSent,
  readSync,
  segmentRead,
  sendWhatWasRead,
  setSyncPaused,
  snapshotRead,
  startSync,
  stopSync
} from './sync/snapshots.ts'
import { stampChanges } from './sync/stamping.ts'

const LINES = {
  // Searching
  searchBookmarks: onReader(searchBookmarks),
  countBookmarks: onReader(countBookmarks),
  countUnindexed: onReader(countUnindexed),
  isIndexing: onMain(isIndexing),
  indexBatch: onWriter(indexBatch),

  // Bookmarks
  saveBookmarks: onWriter(saveBookmarks),
  saveForCall: onWriter(saveForCall),
  savePicture: onWriter(savePicture),
  editBookmark: onWriter(editBookmark),
  changeBookmarks: onWriter(changeBookmarks),
  undoBatch: onWriter(undoBatch),
  setNotDuplicates: onWriter(setNotDuplicates),
  forgetSteps: onWriter(forgetSteps),
  findBookmark: onMain(findBookmark),
  findSaved: onMain(findSaved),
  countByKind: onMain(countByKind),
  listBookmarks: onReader(listBookmarks),
  readBookmarks: onReader(readBookmarks),
  matchingIds: onReader(matchingIds),
  countMatching: onReader(countMatching),
  tagsOf: onReader(tagsOf),
  relatedBookmarks: onReader(relatedBookmarks),
  suggestTags: onReader(suggestTags),
  pastBookmarks: onReader(pastBookmarks),
  noteOpenings: onWriter(noteOpenings),
  similarColors: onReader(similarColors),
  similarImages: onReader(similarImages),

  // Duplicates, the trash, tags
  findDuplicates: onReader(findDuplicates),
  mergeDuplicates: onWriter(mergeDuplicates),
  purgeTrash: onWriter(purgeTrash),
  areInTrash: onMain(areInTrash),
  listTags: onReader(listTags),
  listTagParents: onReader(listTagParents),
  renameTag: onWriter(renameTag),
  mergeTags: onWriter(mergeTags),
  deleteTag: onWriter(deleteTag),

  // Samples, imports, and files that are watched
  addSamples: onWriter(addSamples),
  removeSamples: onWriter(removeSamples),
  countSamples: onMain(countSamples),
  beginImport: onWriter(beginImport),
  importBookmarks: onWriter(importBookmarks, { isImport: true }),
  previewImport: onMain(previewImport),
  listImports: onMain(listImports),
  wereGiven: onMain(wereGiven),
  rememberPages: onWriter(rememberPages),

  // Pages and pictures
  duePage: onMain(duePage),
  saveDetails: onWriter(saveDetails),
  saveFailure: onWriter(saveFailure),
  saveTabText: onWriter(saveTabText),
  askForPage: onWriter(askForPage),
  findStoredPage: onMain(findStoredPage),
  countPagesToRead: onMain(countPagesToRead),
  readPageTexts: onMain(readPageTexts),
  readTextLayout: onMain(readTextLayout),
  keepPicture: onMain(keepPicture),
  readPicture: onMain(readPicture),
  keepTextPicture: onMain(keepTextPicture),
  areTextPicturesKept: onMain(areTextPicturesKept),
  readTextPicture: onMain(readTextPicture),
  prunePictures: onMain(prunePictures),
  keepOriginal: onWriter(keepOriginal),
  forgetOriginals: onWriter(forgetOriginals),
  hasOriginal: onMain(hasOriginal),
  listOriginals: onReader(listOriginals),
  readOriginal: onReader(readOriginal),
  findPicture: onMain(findPicture),
  uncoloredPicture: onMain(uncoloredPicture),
  saveColors: onWriter(saveColors),

  // Links
  dueLink: onMain(dueLink),
  saveLink: onWriter(saveLink),
  findLink: onMain(findLink),
  countUnchecked: onReader(countUnchecked),
  linkThatAnswered: onMain(linkThatAnswered),
  markedLinks: onMain(markedLinks),
  linkCheck: onMain(linkCheck),
  beginLinkCheck: onWriter(beginLinkCheck),
  endLinkCheck: onWriter(endLinkCheck),
  cancelLinkCheck: onWriter(cancelLinkCheck),

  // Organizations, keys and their calls, sessions
  createOrganization: onWriter(createOrganization),
  listOrganizations: onMain(listOrganizations),
  renameOrganization: onWriter(renameOrganization),
  previewDeletion: onWriter(previewDeletion),
  deleteOrganizationBatch: onWriter(deleteOrganizationBatch),
  createKey: onWriter(createKey),
  replaceKey: onWriter(replaceKey),
  revokeKey: onWriter(revokeKey, { whenDamaged: true }),
  revokeKeysOf: onWriter(revokeKeysOf),
  setKeychainOutcome: onWriter(setKeychainOutcome),
  listKeys: onMain(listKeys),
  // Cached: every request to the endpoint looks up its key.
  findKey: onMain(findKey, { cacheKey: hashName }),
  listCalls: onMain(listCalls),
  createSession: onWriter(createSession, { whenDamaged: true }),
  endSession: onWriter(endSession, { whenDamaged: true }),
  findSession: onMain(findSession),
  listSessions: onMain(listSessions),
  recordUse: onWriter(recordUse),

  // Settings, the clock, saved searches
  readSettings: onMain(readSettings),
  writeSettings: onWriter(writeSettings),
  readClock: onMain(readClock),
  noteClock: onWriter(noteClock),
  newestTime: onMain(newestTime),
  listSavedSearches: onMain(listSavedSearches),
  saveSearch: onWriter(saveSearch),
  changeSavedSearch: onWriter(changeSavedSearch),
  deleteSavedSearch: onWriter(deleteSavedSearch),

  // Rules
  listRules: onMain(listRules),
  saveRule: onWriter(saveRule),
  changeRule: onWriter(changeRule),
  deleteRule: onWriter(deleteRule),

  // Several machines
  readSync: onMain(readSync),
  startSync: onWriter(startSync),
  countUnsent: onReader(countUnsent),
  setSyncPaused: onWriter(setSyncPaused),
  stopSync: onWriter(stopSync),
  becomeDevice: onWriter(becomeDevice),
  stampChanges: onWriter(stampChanges),
  nextSegment: onWriter(nextSegment),
  segmentSent: onWriter(segmentSent),
  beginSnapshot: onWriter(beginSnapshot),
  sendWhatWasRead: onWriter(sendWhatWasRead),
  nextPart: onWriter(nextPart),
  partSent: onWriter(partSent),
  snapshotRead: onWriter(snapshotRead),
  insertUnknown: onWriter(insertUnknown, { isImport: true }),
  mergeRecords: onWriter(mergeRecords),
  referToMissing: onWriter(referToMissing, { isImport: true }),
  segmentRead: onWriter(segmentRead),

  // Backups
  listBackups: onMain(listBackups),
  copyBackups: onMain(copyBackups),
  copyFault: onMain(copyFault)
}

/** A call as the rest of the program sees it: it answers a promise, whichever thread runs it. */
type CallFunction<Line> = Line extends { run: (db: never, ...args: infer Args) => infer Result }
  ? (...args: Args) => Promise<Awaited<Result> extends Written<infer Answer> ? Answer : Awaited<Result>>
  : never

/** Every call of a library. Opening, closing, copying and replacing the whole library are in `open-library.ts`. */
export type LibraryCalls = { [Name in keyof typeof LINES]: CallFunction<(typeof LINES)[Name]> }

export type CallName = keyof LibraryCalls

/** The same table for code that only forwards calls. */
export const CALLS: Record<CallName, Call<never[], unknown>> = LINES

/** Makes a library's calls of one function that makes any call by its name. */
export function libraryCalls(call: (name: CallName, args: never[]) => Promise<unknown>): LibraryCalls {
  const names = Object.keys(CALLS) as CallName[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: never[]) => call(name, args)])
  ) as unknown as LibraryCalls
}

/** Finds a call that another thread requested by its name. */
export function callNamed(name: string): Call<never[], unknown> {
  const calls: Record<string, Call<never[], unknown> | undefined> = CALLS
  const call = calls[name]
  if (!call) throw new Error(`The library has no call ${name}.`)
  return call
}
