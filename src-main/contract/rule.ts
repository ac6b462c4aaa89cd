import { z } from 'zod'
import type { Visibility } from './bookmark.ts'
import { fields, type Place } from './bookmark-change.ts'

/** Most rules of a library. Each of them costs time for each new bookmark. */
export const MOST_RULES = 100

/** Gives the new bookmarks that match a query tags, or another place. */
export interface Rule {
  id: string
  /** In the query language, and matched exactly. */
  query: string
  /** The tags they get. */
  tags: string[]
  /** The visibility they get; `null` leaves theirs. */
  visibility: Visibility | null
  /** The organization they move to. While it is deleted (`isGone`), the rule does nothing. */
  organization: { id: string; name: string; isGone: boolean } | null
  /** How many new bookmarks it matched so far. */
  matched: number
  /** When the last of them did, in milliseconds since 1970. */
  matchedAt: number | null
}

const Query = z.string().trim().min(1, 'A rule needs a query.').max(1000, 'A query has at most 1,000 characters.')

/** A rule as its owner writes it. An organization goes by its id or name; visibility `organization` goes with it. */
export const RuleRequest = z.strictObject({
  query: Query,
  tags: fields.tags.default([]),
  visibility: fields.visibility.optional(),
  organization: fields.organization.optional()
})
export type RuleRequest = z.infer<typeof RuleRequest>

/** A rule as the library takes it: tags clean, the place found. */
export interface RuleDraft {
  query: string
  tags: string[]
  place: Place | undefined
}

/**
 * New bookmarks whose turn it is, and the ids of those that each rule matches, which goes by its row id. `due` is another
 * number once a bookmark's page was read.
 */
export interface RuleTurns {
  bookmarks: { id: string; due: number }[]
  matches: { rule: number; bookmarks: string[] }[]
}

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
