import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../contract/library/library.ts'
import { Problem } from '../contract/problem.ts'
import { bookmarkLookups } from './bookmarks/bookmark-lookups.ts'
import { importReads } from './bookmarks/import-store.ts'
import { trashLookups } from './bookmarks/trash-lookups.ts'
import { watchedReads } from './bookmarks/watched-pages.ts'
import { callReads } from './call-store.ts'
import { openReadConnection, type ReadConnection } from './connection.ts'
import { isDamage, watchDamage } from './damage-watch.ts'
import { backupFolder } from './files/backup-folder.ts'
import { checkLibraryFile } from './files/check-library-file.ts'
import { type LastSeen, lastSeen } from './files/last-seen.ts'
import { assertOurs } from './files/open-library-file.ts'
import { keyReads } from './key-store.ts'
import { organizationReads } from './organization-store.ts'
import { linkRoundReads } from './pages/link-rounds.ts'
import { linkReads } from './pages/link-store.ts'
import { pageReads } from './pages/page-store.ts'
import { pictureFolder } from './pages/picture-folder.ts'
import { pictureReads } from './pages/picture-store.ts'
import { unindexedReads } from './search/unindexed.ts'
import { sessionReads } from './session-store.ts'
import { settingReads } from './setting-reads.ts'
import { createReader } from './threads/reader.ts'
import type { ThreadReads } from './threads/reading.ts'
import type { StartThread } from './threads/thread.ts'
import { startWriter, type Writer } from './threads/writer.ts'

/** The library as it lies on disk now, until it is closed. */
export type CurrentLibrary = Omit<Library, 'restoreBackup' | 'generation'>

/** Opens the library file in a data folder, or makes one. See `openLibrary`. */
export async function openCurrentLibrary(folder: string, start: StartThread): Promise<CurrentLibrary> {
  const file = join(folder, 'library.sqlite')
  const backups = backupFolder(folder)
  const pictures = pictureFolder(folder)
  const seen = lastSeen(folder)
  const left = seen.read()
  const lostLog = seen.lostLog()
  assertUsable(file, left, backups.list().length > 0)
  const started = await startWriter(file, start)
  const damage = watchDamage(seen.damaged)
  const noteLog = () => {
    if (sizeOf(`${file}-wal`) === 0) return false
    seen.written()
    return true
  }
  const writer = damage.refusing(noting(started, noteLog))
  let backingUp: Promise<unknown> = Promise.resolve()
  let pruning: Promise<unknown> = Promise.resolve()
  const db = await openReader(file, started)
  seen.opened()
  const checking = left === 'unclean' ? checkInBackground().catch(() => {}) : Promise.resolve()

  async function checkInBackground(): Promise<void> {
    const thread = await start<Pick<ThreadReads, 'isWhole'>>('reading', file)
    const isWhole = await thread.isWhole().catch((error) => !isDamage(error))
    await thread.close()
    if (!isWhole) damage.mark()
  }

  const reader = createReader(file, db, start)
  const reads = {
    ...bookmarkLookups(db),
    ...importReads(db),
    ...trashLookups(db),
    ...unindexedReads(db),
    ...watchedReads(db),
    ...pageReads(db),
    ...linkReads(db),
    ...linkRoundReads(db),
    ...pictureReads(db),
    ...organizationReads(db),
    ...keyReads(db),
    ...callReads(db),
    ...sessionReads(db),
    ...settingReads(db)
  }
  return damage.watching({
    searchBookmarks: reader.searchBookmarks,
    countBookmarks: reader.countBookmarks,
    countUnindexed: reader.countUnindexed,
    isIndexing: async () => reads.isIndexing(),
    saveBookmarks: (placement, drafts) => writer.saveBookmarks(placement, drafts),
    saveForCall: (placement, drafts, call) => writer.saveForCall(placement, drafts, call),

    beginImport: (at) => writer.beginImport(at),
    importBookmarks: writer.importBookmarks,
    indexSome: () => writer.indexSome(),
    previewImport: async (drafts) => reads.previewImport(drafts),
    areInTrash: async (drafts) => reads.areInTrash(drafts),
    wereGiven: async (file, pages) => reads.wereGiven(file, pages),
    rememberPages: (file, pages) => writer.rememberPages(file, pages),
    listImports: async () => reads.listImports(),
    undoImportSome: (id, at) => writer.undoImportSome(id, at),
    forgetImports: (before) => writer.forgetImports(before),
    exportBookmarks: reader.exportBookmarks,

    listBookmarks: reader.listBookmarks,
    countByKind: async () => reads.countByKind(),
    findBookmark: async (id) => reads.findBookmark(id),
    editBookmark: (id, edit, at) => writer.editBookmark(id, edit, at),
    changeBookmarks: (ids, change, at) => writer.changeBookmarks(ids, change, at),
    purgeTrash: (before) => writer.purgeTrash(before),
    undoStep: (id) => writer.undoStep(id),
    forgetSteps: (before) => writer.forgetSteps(before),

    duePage: async (now, except) => reads.duePage(now, except),
    saveDetails: (page, details, at) => writer.saveDetails(page, details, at),
    saveFailure: (page, failure, at) => writer.saveFailure(page, failure, at),
    askForPage: (id, at) => writer.askForPage(id, at),
    findPage: async (id) => reads.findPage(id),
    countPagesToRead: async () => reads.countPagesToRead(),
    readPageTexts: async (ids) => reads.readPageTexts(ids),
    keepPicture: pictures.keep,
    readPicture: async (name) => reads.readPreview(name) ?? pictures.read(name),
    savePicture: (placement, draft, picture) => writer.savePicture(placement, draft, picture),
    keepOriginal: (picture, at) => writer.keepOriginal(picture, at),
    hasOriginal: async (hash) => reads.hasOriginal(hash),
    readOriginal: reader.readOriginal,
    forgetOriginals: (before) => writer.forgetOriginals(before),
    findPicture: async (id) => reads.findPicture(id),
    uncoloredPicture: async () => reads.uncoloredPicture(),
    saveColors: (picture, colors) => writer.saveColors(picture, colors),
    prunePictures(mostBytes) {
      const pruned = pictures.prune(reads.picturesInUse, mostBytes)
      pruning = pruned.catch(() => {})
      return pruned
    },

    dueLink: async (now, except) => reads.dueLink(now, except),
    saveLink: (link, verdict, next, at) => writer.saveLink(link, verdict, next, at),
    findLink: async (id) => reads.findLink(id),
    linkThatAnswered: async (domain) => reads.linkThatAnswered(domain),
    beginLinkRound: (wanted, at) => writer.beginLinkRound(wanted, at),
    takeInLinks: (round, ids, after, at) => writer.takeInLinks(round, ids, after, at),
    takeInOldLinks: (round, before, at) => writer.takeInOldLinks(round, before, at),
    endLinkRound: (at, cancel) => writer.endLinkRound(at, cancel),
    sweepLinks: () => writer.sweepLinks(),
    markedLinks: async (since, limit) => reads.markedLinks(since, limit),
    linkRound: async () => reads.linkRound(),
    lastRoundByItself: async () => reads.lastRoundByItself(),

    findDuplicates: reader.findDuplicates,
    mergeDuplicates: (merges, at) => writer.mergeDuplicates(merges, at),
    similarColors: reader.similarColors,
    similarImages: reader.similarImages,

    listTags: reader.listTags,
    renameTag: (name, newName, at) => writer.renameTag(name, newName, at),
    mergeTags: (merge, at) => writer.mergeTags(merge, at),
    deleteTagSome: (name, at, part) => writer.deleteTagSome(name, at, part),

    listCalls: async (key, before, limit) => reads.listCalls(key, before, limit),
    undoCall: (id, at) => writer.undoCall(id, at),

    createOrganization: (name, createdAt) => writer.createOrganization(name, createdAt),
    listOrganizations: async () => reads.listOrganizations(),
    renameOrganization: (rowId, name) => writer.renameOrganization(rowId, name),
    previewDeletion: (rowId) => writer.previewDeletion(rowId),
    revokeKeysOf: (rowId, at) => writer.revokeKeysOf(rowId, at).finally(reads.forgetCredentials),
    dissolveSome: (rowId, fate, at) => writer.dissolveSome(rowId, fate, at),

    createKey: (key) => writer.createKey(key).finally(reads.forgetCredentials),
    setKeychainOutcome: (rowId, outcome) => writer.setKeychainOutcome(rowId, outcome),
    listKeys: async () => reads.listKeys(),
    revokeKey: (id, at) => writer.revokeKey(id, at).finally(reads.forgetCredentials),
    replaceKey: (id, key) => writer.replaceKey(id, key).finally(reads.forgetCredentials),
    findKey: async (hash) => reads.findKey(hash),

    createSession: (hash, tabHash, at) => writer.createSession(hash, tabHash, at),
    findSession: async (hash) => reads.findSession(hash),
    endSession: (hash) => writer.endSession(hash),
    recordUse: (use, expired) => writer.recordUse(use, expired),

    readClock: async () => reads.readClock(),
    noteClock: (note) => writer.noteClock(note),
    newestTime: async () => reads.newestTime(),
    readSettings: async () => reads.readSettings(),
    writeSettings: (change) => writer.writeSettings(change),

    backUp(name) {
      const made = backingUp.then(() => backups.make(name, (to) => writer.copyTo(to), reader.checkLibraryFile))
      backingUp = made.catch(() => {})
      return made
    },
    listBackups: async () => backups.list(),
    removeBackup: async (name) => backups.remove(name),

    measure: async () => ({ folder, bytes: sizeOf(file) + sizeOf(`${file}-wal`) }),
    isDamaged: async () => damage.isDamaged(),
    lostLog: async () => lostLog,

    async close() {
      await backingUp
      await pruning
      await checking
      await reader.close()
      db.close()
      if (!damage.isDamaged()) seen.closing()
      await writer.close()
      if (!damage.isDamaged()) seen.closed()
    }
  })
}

/**
 * A library that is gone is never made anew without a word, and one that is not as it was left is looked through first.
 *
 * @throws Problem `library-missing`, `library-damaged`, `not-a-library` or `store-too-new`
 */
function assertUsable(file: string, left: LastSeen, hasBackups: boolean): void {
  if (existsSync(file)) {
    assertOurs(file)
    if (left !== 'whole' && left !== 'unclean') checkLibraryFile(file)
    return
  }
  if (left === 'never' && !hasBackups) return
  throw new Problem(
    'library-missing',
    'The library file is missing from the data folder. Nothing was put in its place.'
  )
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * The same writer. Before a write answers it is noted, once, that the log holds something.
 *
 * @param note whether it does
 */
function noting(writer: Writer, note: () => boolean): Writer {
  let isNoted = false
  return new Proxy(writer, {
    get(_, name) {
      const call = Reflect.get(writer, name) as (...args: unknown[]) => Promise<unknown>
      if (isNoted || name === 'close' || name === 'then') return call
      return (...args: unknown[]) =>
        call(...args).finally(() => {
          isNoted ||= note()
        })
    }
  })
}

async function openReader(file: string, writer: Writer): Promise<ReadConnection> {
  try {
    return openReadConnection(file)
  } catch (error) {
    await writer.close()
    throw error
  }
}
