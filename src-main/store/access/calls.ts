import type { Call, CallRecord, UndoReport } from '../../contract/call.ts'
import { dayNumber } from '../../core/iso-time.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { insert, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { putIntoTrash } from '../bookmarks/bookmark-inserts.ts'
import type { BookmarkState } from '../bookmarks/bookmark-state.ts'
import type { Written } from '../calls.ts'

/** Bookmarks that a call in the ledger names, of those it saved. */
const MAX_SHOWN = 5

/** Moves what a call saved to the trash, or back there as it was; `undefined` when there is no such call or it was undone before. */
export function undoCall(db: WriteConnection, id: number, at: number): Written<UndoReport | undefined> {
  const marked = run(db)`UPDATE calls SET undone_at = ${at} WHERE id = ${id} AND undone_at IS NULL`
  if (marked.changes === 0) return { answer: undefined, events: [] }
  const trashed = readRows<{ rowId: number; before: string | null }>(db)`
    SELECT b.id AS rowId, cb.before FROM call_bookmarks cb JOIN bookmarks b ON b.id = cb.bookmark_id
    WHERE cb.call_id = ${id} AND b.deleted_at IS NULL AND b.updated_at = (SELECT at FROM calls WHERE id = ${id})`
  for (const { rowId, before } of trashed) {
    putIntoTrash(db, rowId, before, at, at)
  }
  searchIndex(db).refresh(trashed.map(({ rowId }) => rowId))
  const saved = readValue<number>(db)`SELECT count(*) FROM call_bookmarks WHERE call_id = ${id}` ?? 0
  const undone = trashed.length
  return { answer: { undone, kept: saved - undone }, events: [{ kind: 'bookmarks' }, { kind: 'calls' }] }
}

/** Adds a call to the ledger and returns its row id. */
export function addCall(
  db: WriteConnection,
  call: Omit<CallRecord, 'refused'> & { refused?: string | null | undefined }
): number {
  const { keyId, at, tool, client, results, bytes, refused = null } = call
  const day = dayNumber(at)
  run(db)`
    UPDATE api_keys SET calls_on_day = iif(calls_day = ${day}, calls_on_day, 0) + 1, calls_day = ${day}
    WHERE id = ${keyId}`
  return insert(db)`
    INSERT INTO calls (key_id, at, tool, client, results, bytes, refused)
      VALUES (${keyId}, ${at}, ${tool}, ${client}, ${results}, ${bytes}, ${refused})`
}

/**
 * Notes that a call saved a bookmark.
 *
 * @param before what it was in the trash, if it came from there
 */
export function noteSavedByCall(db: WriteConnection, callId: number, bookmark: number, before?: BookmarkState): void {
  const kept = before === undefined ? null : JSON.stringify(before)
  run(db)`INSERT OR IGNORE INTO call_bookmarks (call_id, bookmark_id, before) VALUES (${callId}, ${bookmark}, ${kept})`
  run(db)`
    INSERT OR REPLACE INTO bookmark_savers (bookmark_id, key_id, client)
    SELECT ${bookmark}, key_id, client FROM calls WHERE id = ${callId}`
}

/** Notes how many bytes a call's answer had. */
export function setCallBytes(db: WriteConnection, callId: number, bytes: number): void {
  run(db)`UPDATE calls SET bytes = ${bytes} WHERE id = ${callId}`
}

/** Calls of a key that saved nothing and are kept. */
const MAX_CALLS = 5000

/** Calls that saved something are kept until their time is over, so that they can be undone. */
const SAVED_NOTHING = "NOT (tool = 'bookmarks.insert' AND results > 0)"

/** Deletes old calls of these keys that saved nothing, and some of all calls from before a time. */
export function forgetCalls(db: WriteConnection, keys: Iterable<number>, before: number): void {
  for (const key of keys) {
    run(
      db,
      `DELETE FROM calls WHERE key_id = @key AND ${SAVED_NOTHING} AND id <= (
        SELECT id FROM calls WHERE key_id = @key AND ${SAVED_NOTHING} ORDER BY id DESC LIMIT 1 OFFSET ${MAX_CALLS})`,
      { key }
    )
  }
  // Calls are written in the order of their time, so no index by time is needed.
  const oldest = readValue<number>(db)`SELECT at FROM calls ORDER BY id LIMIT 1` ?? before
  if (oldest >= before) return
  run(db)`DELETE FROM calls WHERE at < ${before} AND id IN (SELECT id FROM calls ORDER BY id LIMIT 5000)`
}

/** Returns a key's calls, newest first: `limit` of those older than the call `before`. */
export function listCalls(db: ReadConnection, key: string, before: number, limit: number): Call[] {
  const rows = readRows<Omit<Call, 'saved'> & { saved: string }>(db)`
    SELECT c.id, c.at, c.tool, c.client, c.results, c.bytes, c.undone_at AS undoneAt, c.refused,
      iif(c.undone_at IS NULL, (SELECT count(*) FROM call_bookmarks cb JOIN bookmarks b ON b.id = cb.bookmark_id
        WHERE cb.call_id = c.id AND b.deleted_at IS NULL AND b.updated_at = c.at), 0) AS undoable,
      (SELECT count(*) FROM call_bookmarks WHERE call_id = c.id) AS savedLeft,
      (SELECT json_group_array(json_object('id', b.public_id, 'title', iif(b.title = '', b.url, b.title),
          'inTrash', iif(b.deleted_at IS NULL, json('false'), json('true'))))
        FROM (SELECT bookmark_id FROM call_bookmarks WHERE call_id = c.id LIMIT ${MAX_SHOWN}) cb
        JOIN bookmarks b ON b.id = cb.bookmark_id) AS saved
    FROM calls c JOIN api_keys k ON k.id = c.key_id
    WHERE k.public_id = ${key} AND c.id < ${before} ORDER BY c.id DESC LIMIT ${limit}`
  return rows.map((call) => ({ ...call, saved: JSON.parse(call.saved) }))
}
