import type { Call, CallRecord, UndoReport } from '../../contract/call.ts'
import { dayNumber } from '../../core/day-number.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'

/** Bookmarks that a call in the ledger names, of those it saved. */
const MOST_SHOWN = 5

/** The ledger of calls. */
export const calls = family({
  here: callReads,
  writes: callWrites,
  emits: { undoCall: (report) => (report ? [{ kind: 'bookmarks' }, { kind: 'calls' }] : []) }
})

/** What the writing thread can do to the ledger. */
function callWrites(db: WriteConnection) {
  const index = searchIndex(db)
  const trash = db
    .prepare<[{ id: number; at: number }], number>(
      `UPDATE bookmarks SET deleted_at = @at, updated_at = @at
       WHERE deleted_at IS NULL AND id IN (SELECT bookmark_id FROM call_bookmarks WHERE call_id = @id)
         AND updated_at = (SELECT at FROM calls WHERE id = @id)
       RETURNING id`
    )
    .pluck()
  const saved = db.prepare('SELECT count(*) FROM call_bookmarks WHERE call_id = ?').pluck()
  const mark = db.prepare('UPDATE calls SET undone_at = ? WHERE id = ? AND undone_at IS NULL')
  return {
    /** `undefined` when there is no such call or it was undone before. */
    undoCall: db.transaction((id: number, at: number): UndoReport | undefined => {
      if (mark.run(at, id).changes === 0) return undefined
      const trashed = trash.all({ id, at })
      index.refresh(trashed)
      const undone = trashed.length
      return { undone, kept: (saved.get(id) as number) - undone }
    })
  }
}

/** Writes calls down; for use inside a transaction. */
export function callLedger(db: WriteConnection) {
  const insert = db.prepare(
    'INSERT INTO calls (key_id, at, tool, client, results, bytes, refused) VALUES (?, ?, ?, ?, ?, ?, ?)'
  )
  const noteSaver = db.prepare(
    `INSERT OR REPLACE INTO bookmark_savers (bookmark_id, key_id, client)
     SELECT @bookmark, key_id, client FROM calls WHERE id = @call`
  )
  const note = db.prepare('INSERT OR IGNORE INTO call_bookmarks (call_id, bookmark_id) VALUES (?, ?)')
  const countDay = db.prepare(
    `UPDATE api_keys SET calls_on_day = iif(calls_day = @day, calls_on_day, 0) + 1, calls_day = @day WHERE id = @keyId`
  )
  const measure = db.prepare('UPDATE calls SET bytes = ? WHERE id = ?')
  // Calls are written in the order of their time, so the oldest stand first and no index by time is needed.
  const oldest = db.prepare<[], number>('SELECT at FROM calls ORDER BY id LIMIT 1').pluck()
  const forget = db.prepare('DELETE FROM calls WHERE at < ? AND id IN (SELECT id FROM calls ORDER BY id LIMIT 5000)')
  return {
    add({
      keyId,
      at,
      tool,
      client,
      results,
      bytes,
      refused = null
    }: Omit<CallRecord, 'refused'> & { refused?: string | null | undefined }): number {
      countDay.run({ day: dayNumber(at), keyId })
      return Number(insert.run(keyId, at, tool, client, results, bytes, refused).lastInsertRowid)
    },
    /** What a call saved. */
    note(callId: number, bookmarkRowId: number): void {
      note.run(callId, bookmarkRowId)
      noteSaver.run({ bookmark: bookmarkRowId, call: callId })
    },
    measure(callId: number, bytes: number): void {
      measure.run(bytes, callId)
    },
    forgetBefore(time: number): void {
      if ((oldest.get() ?? time) < time) forget.run(time)
    }
  }
}

/** What can be asked about the ledger. */
function callReads(db: ReadConnection) {
  const list = db.prepare<[object], Omit<Call, 'saved'> & { saved: string }>(
    `SELECT c.id, c.at, c.tool, c.client, c.results, c.bytes, c.undone_at AS undoneAt, c.refused,
       iif(c.undone_at IS NULL, (SELECT count(*) FROM call_bookmarks cb JOIN bookmarks b ON b.id = cb.bookmark_id
         WHERE cb.call_id = c.id AND b.deleted_at IS NULL AND b.updated_at = c.at), 0) AS undoable,
       (SELECT count(*) FROM call_bookmarks WHERE call_id = c.id) AS savedLeft,
       (SELECT json_group_array(json_object('id', b.public_id, 'title', iif(b.title = '', b.url, b.title),
           'inTrash', iif(b.deleted_at IS NULL, json('false'), json('true'))))
         FROM (SELECT bookmark_id FROM call_bookmarks WHERE call_id = c.id LIMIT @shown) cb
         JOIN bookmarks b ON b.id = cb.bookmark_id) AS saved
     FROM calls c JOIN api_keys k ON k.id = c.key_id
     WHERE k.public_id = @key AND c.id < @before ORDER BY c.id DESC LIMIT @limit`
  )
  return {
    /** Newest first, `limit` of those older than the call `before`. */
    listCalls: (key: string, before: number, limit: number): Call[] =>
      list.all({ key, before, limit, shown: MOST_SHOWN }).map((call) => ({ ...call, saved: JSON.parse(call.saved) }))
  }
}
