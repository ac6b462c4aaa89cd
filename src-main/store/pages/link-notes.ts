import type { LinkMark, LinkState, LinkVerdict } from '../../contract/link-check.ts'
import type { WriteConnection } from '../connection.ts'

/** Keeps what is known of links; for use inside a transaction, which ends by bringing the index up to them. */
export function linkNotes(db: WriteConnection) {
  const keep = db.prepare(
    `INSERT INTO link_checks (bookmark_id, state, mark, fault, moved_from, moved_to, failing_since, checked_at)
     VALUES (@rowId, @state, @mark, @fault, @movedFrom, @movedTo, @failingSince, @at)
     ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, mark = excluded.mark, fault = excluded.fault,
       moved_from = excluded.moved_from, moved_to = excluded.moved_to, failing_since = excluded.failing_since,
       checked_at = excluded.checked_at`
  )
  const clear = db.prepare(
    `UPDATE link_checks SET state = 'ok', mark = NULL, fault = NULL, failing_since = NULL, checked_at = ?
     WHERE bookmark_id = ? AND state IN ('broken', 'failing')`
  )
  return {
    keep(rowId: number, url: string, verdict: LinkVerdict, at: number): void {
      const movedFrom = verdict.state === 'moved' ? url : null
      keep.run({ rowId, mark: markOf(verdict.state), movedFrom, ...verdict, at })
    },
    /** Its page was read: what was wrong no longer is. */
    clear(rowId: number, at: number): void {
      clear.run(at, rowId)
    }
  }
}

/** What a bookmark is found by. */
export function markOf(state: LinkState): LinkMark | null {
  return state === 'broken' || state === 'moved' ? state : null
}
