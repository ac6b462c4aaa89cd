import { join } from 'node:path'
import type { Library } from '../contract/ports.ts'
import { bookmarkReads } from './bookmark-reads.ts'
import { callReads } from './call-store.ts'
import { openReadConnection, type ReadConnection } from './connection.ts'
import { keyReads } from './key-store.ts'
import { organizationReads } from './organization-store.ts'
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
  const db = await openReader(file, writer)
  const reads = {
    ...bookmarkReads(db),
    ...organizationReads(db),
    ...keyReads(db),
    ...callReads(db),
    ...sessionReads(db),
    ...settingReads(db)
  }
  return {
    searchBookmarks: async (caller, query) => reads.searchBookmarks(caller, query),
    countBookmarks: async (caller) => reads.countBookmarks(caller),
    countUnindexed: async () => reads.countUnindexed(),
    saveBookmarks: (placement, drafts) => writer.saveBookmarks(placement, drafts),
    saveForCall: (placement, drafts, call) => writer.saveForCall(placement, drafts, call),

    listCalls: async (key, before, limit) => reads.listCalls(key, before, limit),
    undoCall: (id, at) => writer.undoCall(id, at),

    createOrganization: (name, createdAt) => writer.createOrganization(name, createdAt),
    listOrganizations: async () => reads.listOrganizations(),

    createKey: (key) => writer.createKey(key).finally(reads.forgetCredentials),
    setKeychainOutcome: (rowId, outcome) => writer.setKeychainOutcome(rowId, outcome),
    listKeys: async () => reads.listKeys(),
    revokeKey: (id, at) => writer.revokeKey(id, at).finally(reads.forgetCredentials),
    findKey: async (hash) => reads.findKey(hash),

    createSession: (hash, at) => writer.createSession(hash, at),
    findSession: async (hash) => reads.findSession(hash),
    endSession: (hash) => writer.endSession(hash),
    recordUse: (use, expired) => writer.recordUse(use, expired),

    readSettings: async () => reads.readSettings(),
    writeSettings: (change) => writer.writeSettings(change),

    async close() {
      db.close()
      await writer.close()
    }
  }
}

async function openReader(file: string, writer: Writer): Promise<ReadConnection> {
  try {
    return openReadConnection(file)
  } catch (error) {
    await writer.close()
    throw error
  }
}
