import type { LinkMark, LinkState, LinkVerdict } from '../../contract/link-check.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { run } from '../../database/sql.ts'

/** Keeps what a check found of a link; for use inside a transaction, which ends by bringing the index up to it. */
export function keepVerdict(db: WriteConnection, rowId: number, url: string, verdict: LinkVerdict, at: number): void {
  const movedFrom = verdict.state === 'moved' ? url : null
  run(
    db,
    `INSERT INTO link_checks (bookmark_id, state, mark, fault, moved_from, moved_to, failing_since, checked_at)
     VALUES (@rowId, @state, @mark, @fault, @movedFrom, @movedTo, @failingSince, @at)
     ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, mark = excluded.mark, fault = excluded.fault,
       moved_from = excluded.moved_from, moved_to = excluded.moved_to, failing_since = excluded.failing_since,
       checked_at = excluded.checked_at`,
    { rowId, mark: markOf(verdict.state), movedFrom, ...verdict, at }
  )
}

/** Notes that a link's page was read: what was wrong no longer is. */
export function clearVerdict(db: WriteConnection, rowId: number, at: number): void {
  run(db)`
    UPDATE link_checks SET state = 'ok', mark = NULL, fault = NULL, failing_since = NULL, checked_at = ${at}
    WHERE bookmark_id = ${rowId} AND state IN ('broken', 'failing')`
}

/** Returns the mark that a bookmark is found by. */
export function markOf(state: LinkState): LinkMark | null {
  return state === 'broken' || state === 'moved' ? state : null
}
