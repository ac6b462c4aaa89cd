import type { WriteConnection } from '../../database/connection.ts'
import { readValue, run } from '../../database/sql.ts'

/** The values of `from_tab`: a text that the owner gave is not replaced by one that was fetched. */
const [FROM_TAB, FROM_IMPORT] = [1, 2]

/** Returns the text that the owner gave of a bookmark's page, by the browser or an import; `undefined` if there is none. */
export function findTabText(db: WriteConnection, rowId: number): string | undefined {
  return readValue<string>(db)`SELECT text FROM page_texts WHERE bookmark_id = ${rowId} AND from_tab <> 0`
}

/** Writes the text that a page had in the owner's browser, instead of the fetched text. */
export function writeTabText(db: WriteConnection, rowId: number, text: string): void {
  run(db)`
    INSERT INTO page_texts (bookmark_id, text, from_tab) VALUES (${rowId}, ${text}, ${FROM_TAB})
    ON CONFLICT (bookmark_id) DO UPDATE SET text = excluded.text, layout = NULL, from_tab = ${FROM_TAB}`
  countText(db)
}

/** Writes the text of a new bookmark's page, as an imported file holds it. */
export function writeImportedText(db: WriteConnection, rowId: number, text: string): void {
  run(db)`INSERT INTO page_texts (bookmark_id, text, from_tab) VALUES (${rowId}, ${text}, ${FROM_IMPORT})`
  countText(db)
}

/** Counts a text that the indexes take in, so that they are merged once there are many. */
export function countText(db: WriteConnection): void {
  run(db)`UPDATE index_merge SET pages = pages + 1`
}
