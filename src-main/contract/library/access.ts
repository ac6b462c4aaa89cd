import type { Call, CallRecord, UndoReport } from '../call.ts'
import type { ApiKey, KeyCredential, KeychainOutcome, NewKey } from '../key.ts'
import type { BookmarkFate, DeletionPreview, DeletionReport, Organization } from '../organization.ts'

/** Calls about access: organizations, keys, the ledger of their calls, and sessions. */
export interface LibraryAccess {
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
  deleteOrganizationSome(
    rowId: number,
    fate: BookmarkFate,
    at: number
  ): Promise<DeletionReport & { done: boolean; undo: number | null }>

  createKey(key: NewKey): Promise<{ id: string; rowId: number }>
  setKeychainOutcome(rowId: number, outcome: KeychainOutcome): Promise<void>
  listKeys(): Promise<ApiKey[]>
  /** Revoking twice keeps the first time. False when there is no such key. */
  revokeKey(id: string, at: number): Promise<boolean>
  /** Makes the new key and revokes the old one in one step; `undefined` when the old one is not there or revoked. */
  replaceKey(id: string, key: NewKey): Promise<{ id: string; rowId: number } | undefined>
  findKey(hash: Uint8Array): Promise<KeyCredential | undefined>

  createSession(hash: Uint8Array, at: number): Promise<void>
  findSession(hash: Uint8Array): Promise<StoredSession | undefined>
  endSession(hash: Uint8Array): Promise<void>
  /** Also forgets what is older than `expired` says. */
  recordUse(use: UseRecord[], expired: ExpiryTimes): Promise<void>
}

/** Times are milliseconds since 1970. */
export interface StoredSession {
  createdAt: number
  seenAt: number
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
