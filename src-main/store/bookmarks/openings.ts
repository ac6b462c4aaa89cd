import type { WriteConnection } from '../../database/connection.ts'
import { run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'

/** Openings that are remembered: what was opened before them is not opened lately. */
const MOST_OPENINGS = 1000

/** Notes that the owner opened the pages of bookmarks. The bookmarks themselves stay as they are. */
export function noteOpenings(db: WriteConnection, ids: string[], at: number): Written<void> {
  run(db)`
    INSERT INTO openings (bookmark_id, opened_at) SELECT id, ${at} FROM bookmarks
      WHERE public_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    ON CONFLICT (bookmark_id) DO UPDATE SET opened_at = excluded.opened_at`
  run(db)`
    DELETE FROM openings WHERE bookmark_id IN (
      SELECT bookmark_id FROM openings ORDER BY opened_at DESC, bookmark_id DESC LIMIT -1 OFFSET ${MOST_OPENINGS})`
  return { answer: undefined, events: [] }
}
