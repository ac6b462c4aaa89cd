import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'
import { MOST_SAVED_SEARCHES, type SavedSearch } from '../../contract/saved-search.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { publicId } from '../public-id.ts'

/** Searches that the owner keeps under a name. */
export const savedSearches = family({
  here: savedSearchReads,
  writes: savedSearchWrites,
  emits: {
    saveSearch: () => [{ kind: 'searches' }],
    restoreSavedSearch: () => [{ kind: 'searches' }],
    renameSavedSearch: () => [{ kind: 'searches' }],
    deleteSavedSearch: () => [{ kind: 'searches' }]
  }
})

/** What the writing thread can do to saved searches. */
function savedSearchWrites(db: WriteConnection) {
  const insert = db.prepare('INSERT INTO saved_searches (public_id, name, folded, address) VALUES (?, ?, ?, ?)')
  const count = db.prepare<[], number>('SELECT count(*) FROM saved_searches').pluck()
  const rename = db.prepare('UPDATE saved_searches SET name = ?, folded = ? WHERE public_id = ?')
  const remove = db.prepare('DELETE FROM saved_searches WHERE public_id = ?')

  const add = db.transaction(({ id, name, address }: SavedSearch): void => {
    if ((count.get() ?? 0) >= MOST_SAVED_SEARCHES) {
      throw new Problem('too-many', `There are ${MOST_SAVED_SEARCHES} saved searches already. Delete one first.`)
    }
    insert.run(id, name, foldName(name), address)
  })
  return {
    saveSearch(name: string, address: string): SavedSearch {
      const search = { id: publicId(), name, address }
      named(name, () => add(search))
      return search
    },
    restoreSavedSearch: (search: SavedSearch): void => named(search.name, () => add(search)),
    renameSavedSearch: (id: string, name: string): boolean =>
      named(name, () => rename.run(name, foldName(name), id)).changes > 0,
    deleteSavedSearch: (id: string): boolean => remove.run(id).changes > 0
  }
}

/** Does what gives a saved search its name. */
function named<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Problem('taken', `There is already a saved search named ${name}.`)
    }
    throw error
  }
}

/** What can be asked about saved searches. */
function savedSearchReads(db: ReadConnection) {
  const list = db.prepare('SELECT public_id AS id, name, address FROM saved_searches ORDER BY folded')
  return { listSavedSearches: () => list.all() as SavedSearch[] }
}
