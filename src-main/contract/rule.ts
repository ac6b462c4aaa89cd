import { z } from 'zod'
import type { Place, Visibility } from './bookmark.ts'
import { fields } from './bookmark-change.ts'

/** Maximum number of rules. Each rule is checked for each new bookmark. */
export const MAX_RULES = 100

/** Adds tags to new bookmarks that match a query, moves them, or requests copies of their pages. */
export interface Rule {
  id: string
  /** In the query language; must match exactly. */
  query: string
  tags: string[]
  /** `null` keeps the bookmark’s visibility. */
  visibility: Visibility | null
  /** The organization that bookmarks move to. After it is deleted (`isGone`), the rule does nothing. */
  organization: { id: string; name: string; isGone: boolean } | null
  /** Whether the browser extension saves a copy of the page. */
  copy: boolean
  /** Number of new bookmarks that matched so far. */
  matched: number
  /** When the last bookmark matched, in milliseconds since 1970. */
  matchedAt: number | null
}

const Query = z.string().trim().min(1, 'A rule needs a query.').max(1000, 'A query has at most 1,000 characters.')

export const RuleRequest = z.strictObject({
  query: Query,
  tags: fields.tags.default([]),
  visibility: fields.visibility.optional(),
  organization: fields.organization.optional(),
  copy: z.boolean().default(false)
})
export type RuleRequest = z.infer<typeof RuleRequest>

/** A rule to store, with clean tags. */
export interface RuleDraft {
  query: string
  tags: string[]
  place: Place | undefined
  copy: boolean
}

/** A search that is stored under a name. */
export interface SavedSearch {
  id: string
  name: string
  /** The path and query of the page that shows it, in the dashboard. */
  address: string
}

export const MAX_SAVED_SEARCHES = 100

const Name = z.string().trim().min(1, 'A saved search needs a name.').max(80)

/** A page that lists bookmarks, with words or filters. Never an address of another site. */
const Address = z
  .string()
  .max(8000, 'This search is too long to be saved.')
  .regex(/^\/(?:links|images|colors|texts)?\?[^\s#]+$/, 'Only a search with words or filters can be saved.')

export const SavedSearchRequest = z.strictObject({ name: Name, address: Address })
export type SavedSearchRequest = z.infer<typeof SavedSearchRequest>

export const SavedSearchChange = SavedSearchRequest.partial()
export type SavedSearchChange = z.infer<typeof SavedSearchChange>
