import type { WriteConnection } from '../connection.ts'
import { readValue, run } from '../statements.ts'

/** Returns the text that a bookmark's page had in the owner's browser; `undefined` where there is none. */
export function findTabText(db: WriteConnection, rowId: number): string | undefined {
  return readValue<string>(db)`SELECT text FROM page_texts WHERE bookmark_id = ${rowId} AND from_tab = 1`
}

/** Writes the text that a bookmark's page had in the owner's browser, in place of what was fetched of it. */
export function writeTabText(db: WriteConnection, rowId: number, text: string): void {
  run(db)`
    INSERT INTO page_texts (bookmark_id, text, from_tab) VALUES (${rowId}, ${text}, 1)
    ON CONFLICT (bookmark_id) DO UPDATE SET text = excluded.text, layout = NULL, from_tab = 1`
  countText(db)
}

/** Counts a text that the indexes take in, so that they are merged once there are many. */
export function countText(db: WriteConnection): void {
  run(db)`UPDATE index_merge SET pages = pages + 1`
}
