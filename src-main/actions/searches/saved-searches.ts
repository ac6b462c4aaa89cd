import { Problem } from '../../contract/problem.ts'
import type { SavedSearch, SavedSearchRename, SavedSearchRequest } from '../../contract/rule.ts'
import { cleanName } from '../organizations/organizations.ts'
import type { Ports } from '../ports.ts'

/**
 * Keeps a search under a name.
 *
 * @throws Problem `taken` when another has that name, in any case; `too-many`; `invalid` when the name shows nothing
 */
export async function saveSearch({ library }: Ports, { name, address }: SavedSearchRequest): Promise<SavedSearch> {
  return library.saveSearch(cleanedName(name), address)
}

/** Puts back one that was deleted, under the id it had. Throws as saving does. */
export async function restoreSavedSearch({ library }: Ports, search: SavedSearch): Promise<void> {
  await library.restoreSavedSearch({ ...search, name: cleanedName(search.name) })
}

/** @throws Problem `not-found`, `taken`, or `invalid` when the name shows nothing */
export async function renameSavedSearch({ library }: Ports, id: string, { name }: SavedSearchRename): Promise<void> {
  if (!(await library.renameSavedSearch(id, cleanedName(name)))) throw gone()
}

/** @throws Problem `not-found` */
export async function deleteSavedSearch({ library }: Ports, id: string): Promise<void> {
  if (!(await library.deleteSavedSearch(id))) throw gone()
}

function cleanedName(name: string): string {
  return cleanName(name, 'A saved search')
}

function gone(): Problem {
  return new Problem('not-found', 'This saved search is no longer there.')
}
