import { z } from 'zod'

/** A search that is kept under a name. It is the address of what it shows in the dashboard, with words and filters. */
export interface SavedSearch {
  id: string
  name: string
  address: string
}

/** Saved searches of a library: more are not looked through in a list. */
export const MOST_SAVED_SEARCHES = 100

const Name = z.string().trim().min(1, 'A saved search needs a name.').max(80)

/** A page that lists bookmarks, and what holds some of them back. Never an address of another site. */
const Address = z
  .string()
  .max(8000, 'This search is too long to be saved.')
  .regex(/^\/(?:links|images|colors|texts)?\?[^\s#]+$/, 'Only a search with words or filters can be saved.')

export const SavedSearchRequest = z.strictObject({ name: Name, address: Address })
export type SavedSearchRequest = z.infer<typeof SavedSearchRequest>

/** One that was deleted, as it was. */
export const SavedSearchRestoration = SavedSearchRequest.extend({ id: z.string().regex(/^[\w-]{16}$/) })

export const SavedSearchRename = z.strictObject({ name: Name })
export type SavedSearchRename = z.infer<typeof SavedSearchRename>
