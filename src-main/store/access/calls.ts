import type { Call, CallOrigin, CallRecord } from '../../contract/call.ts'
import { dayNumber } from '../../core/iso-time.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { insert, readRows, readValue, run } from '../../database/sql.ts'

/** Maximum number of saved bookmarks that are listed with a call. */
const MAX_SHOWN = 5

/**
 * Adds a call to the table `calls` and returns its row id.
 *
 * @param step the undo step of the bookmarks that it saved
 */
export function addCall(
  db: WriteConnection,
  call: Omit<CallRecord, 'refused'> & { refused?: string | null | undefined },
  step: number | null = null
): number {
  const { keyId, at, tool, client, results, bytes, words = null, refused = null } = call
  const day = dayNumber(at)
  run(db)`
    UPDATE api_keys SET calls_on_day = iif(calls_day = ${day}, calls_on_day, 0) + 1, calls_day = ${day}
    WHERE id = ${keyId}`
  return insert(db)`
    INSERT INTO calls (key_id, at, tool, client, results, bytes, words, refused, step_id)
      VALUES (${keyId}, ${at}, ${tool}, ${client}, ${results}, ${bytes}, ${words}, ${refused}, ${step})`
}

/** Records the key and the client that saved a bookmark. */
export function setSaver(db: WriteConnection, bookmark: number, { keyId, client }: CallOrigin): void {
  run(db)`
    INSERT OR REPLACE INTO bookmark_savers (bookmark_id, key_id, client) VALUES (${bookmark}, ${keyId}, ${client})`
}

/** Stores the size of a call's answer, in bytes. */
export function setCallBytes(db: WriteConnection, callId: number, bytes: number): void {
  run(db)`UPDATE calls SET bytes = ${bytes} WHERE id = ${callId}`
}

/** Maximum number of stored calls of a key, without calls that saved bookmarks. */
const MAX_CALLS = 5000

/** SQL for calls that saved no bookmark. Other calls stay as long as they can be undone. */
const SAVED_NOTHING = "NOT (tool = 'bookmarks.insert' AND results > 0)"

/** Deletes old calls of these keys that saved nothing, and a batch of all calls from before a time. */
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

/** SQL for the bookmarks of the step of a call `c`, in or outside the trash, and whether an undo would change each. */
const SAVED = `(
  SELECT b.id, b.deleted_at IS NULL AND b.updated_at <= c.at AS is_undoable
    FROM undo_ranges r JOIN bookmarks b ON b.id BETWEEN r.first AND r.last WHERE r.step_id = c.step_id
  UNION ALL SELECT b.id, b.updated_at = u.changed_at
    FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id WHERE u.step_id = c.step_id)`

/** Returns up to `limit` calls of a key that are older than the call `before`, newest first. */
export function listCalls(db: ReadConnection, key: string, before: number, limit: number): Call[] {
  const rows = readRows<Omit<Call, 'saved'> & { saved: string }>(
    db,
    `SELECT c.id, c.at, c.tool, c.client, c.words, c.results, c.bytes, s.undone_at AS undoneAt, c.refused,
       iif(s.undone_at IS NULL, (SELECT count(*) FROM ${SAVED} WHERE is_undoable), 0) AS undoable,
       (SELECT count(*) FROM ${SAVED}) AS savedLeft,
       (SELECT json_group_array(json_object('id', b.public_id, 'title', iif(b.title = '', b.url, b.title),
           'inTrash', iif(b.deleted_at IS NULL, json('false'), json('true'))))
         FROM (SELECT id FROM ${SAVED} ORDER BY id LIMIT ${MAX_SHOWN}) JOIN bookmarks b USING (id)) AS saved
     FROM calls c JOIN api_keys k ON k.id = c.key_id LEFT JOIN undo_steps s ON s.id = c.step_id
     WHERE k.public_id = ? AND c.id < ? ORDER BY c.id DESC LIMIT ?`,
    key,
    before,
    limit
  )
  return rows.map((call) => ({ ...call, saved: JSON.parse(call.saved) }))
}
