import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../contract/ports.ts'
import { backupFolder } from './backup-folder.ts'
import { bookmarkLookups } from './bookmark-lookups.ts'
import { callReads } from './call-store.ts'
import { openReadConnection, type ReadConnection } from './connection.ts'
import { importReads } from './import-store.ts'
import { keyReads } from './key-store.ts'
import { organizationReads } from './organization-store.ts'
import { createReader } from './reader.ts'
import { sessionReads } from './session-store.ts'
import { settingReads } from './setting-store.ts'
import { startWriter, type Writer } from './writer.ts'

/**
 * Opens the library in a data folder, or makes one. The caller holds the library's lock.
 *
 * @throws Problem when the file is damaged, foreign or from a newer Earmark
 */
export async function openLibrary(folder: string): Promise<Library> {
  const file = join(folder, 'library.sqlite')
  const writer = await startWriter(file)
  const backups = backupFolder(folder)
  let backingUp: Promise<unknown> = Promise.resolve()
  const db = await openReader(file, writer)
  const reader = createReader(file, db)
  const reads = {
    ...bookmarkLookups(db),
    ...importReads(db),
    ...organizationReads(db),
    ...keyReads(db),
    ...callReads(db),
    ...sessionReads(db),
    ...settingReads(db)
  }
  return {
    searchBookmarks: reader.searchBookmarks,
    countBookmarks: reader.countBookmarks,
    countUnindexed: reader.countUnindexed,
    saveBookmarks: (placement, drafts) => writer.saveBookmarks(placement, drafts),
    saveForCall: (placement, drafts, call) => writer.saveForCall(placement, drafts, call),

    beginImport: (at) => writer.beginImport(at),
    importBookmarks: (importId, drafts) => writer.importBookmarks(importId, drafts),
    previewImport: async (drafts) => reads.previewImport(drafts),
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

    listTags: reader.listTags,
    renameTag: (name, newName, at) => writer.renameTag(name, newName, at),
    mergeTags: (merge, at) => writer.mergeTags(merge, at),
    deleteTag: (name, at) => writer.deleteTag(name, at),

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

    async close() {
      await backingUp
      await reader.close()
      db.close()
      await writer.close()
    }
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function openReader(file: string, writer: Writer): Promise<ReadConnection> {
  try {
    return openReadConnection(file)
  } catch (error) {
    await writer.close()
    throw error
  }
}
