import { Problem } from '../../contract/problem.ts'
import { MAX_SAVED_SEARCHES, type SavedSearch } from '../../contract/rule.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRows, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'
import { orTaken } from './organizations.ts'

/** @throws Problem `taken` when one has that name, in any case; `too-many` */
export function saveSearch(db: WriteConnection, name: string, address: string): Written<SavedSearch> {
  const search = { id: publicId(), name, address }
  return { answer: search, events: restoreSavedSearch(db, search).events }
}

/** Puts a search back that was deleted. Throws as `saveSearch` does. */
export function restoreSavedSearch(db: WriteConnection, { id, name, address }: SavedSearch): Written<void> {
  const count = readValue<number>(db)`SELECT count(*) FROM saved_searches` ?? 0
  if (count >= MAX_SAVED_SEARCHES) {
    throw new Problem('too-many', `There are ${MAX_SAVED_SEARCHES} saved searches already. Delete one first.`)
  }
  orTaken(
    `There is already a saved search named ${name}.`,
    () =>
      run(db)`
      INSERT INTO saved_searches (public_id, name, folded, address)
        VALUES (${id}, ${name}, ${foldName(name)}, ${address})`
  )
  return { answer: undefined, events: [{ kind: 'searches' }] }
}

/** False when there is no such saved search. Throws Problem `taken`. */
export function renameSavedSearch(db: WriteConnection, id: string, name: string): Written<boolean> {
  const { changes } = orTaken(
    `There is already a saved search named ${name}.`,
    () => run(db)`UPDATE saved_searches SET name = ${name}, folded = ${foldName(name)} WHERE public_id = ${id}`
  )
  return { answer: changes > 0, events: [{ kind: 'searches' }] }
}

/** False when there is no such saved search. */
export function deleteSavedSearch(db: WriteConnection, id: string): Written<boolean> {
  const { changes } = run(db)`DELETE FROM saved_searches WHERE public_id = ${id}`
  return { answer: changes > 0, events: [{ kind: 'searches' }] }
}

/** Returns all saved searches, by name. */
export function listSavedSearches(db: ReadConnection): SavedSearch[] {
  return readRows<SavedSearch>(db)`SELECT public_id AS id, name, address FROM saved_searches ORDER BY folded`
}
